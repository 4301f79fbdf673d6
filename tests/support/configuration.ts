import { provideTestPlace, type TestPlace } from '../../src/model/configuration.ts'

/** Forgets what `configureA2A()` was given, and the running test. */
export function resetConfiguration(): void {
  Reflect.deleteProperty(globalThis, Symbol.for('expect-a2a.configuration'))
}

/** Sets what a runner's set-up reports about the running test. */
export function inTest(place: TestPlace | undefined): void {
  provideTestPlace(() => place)
}
