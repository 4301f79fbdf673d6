import { defineConfig, type UserConfig } from 'tsdown'

/** Entries by their name in `exports`. Those that import Vitest stay out of the CommonJS build: `require('vitest')` throws. */
const esmOnly = { vitest: 'src/vitest.ts' }
const dual = {
  index: 'src/index.ts',
  matchers: 'src/matchers.ts',
  jest: 'src/jest.ts',
  expect: 'src/expect.ts',
  testing: 'src/testing/index.ts',
}

const common: UserConfig = {
  platform: 'node',
  target: 'node20.19',
  tsconfig: 'tsconfig.build.json',
  dts: { oxc: true },
  hash: true,
  // Only our own sources: a dependency in dist would be a second copy of what the user has already.
  deps: { skipNodeModulesBundle: true, onlyBundle: [] },
  failOnWarn: true,
  report: false,
  logLevel: 'warn',
}

export default defineConfig([
  {
    ...common,
    entry: { ...dual, ...esmOnly },
    format: 'esm',
    // Otherwise the bundler's runtime shares a file with the card rules, and every set-up file loads those.
    outputOptions: { codeSplitting: { groups: [{ name: 'runtime', test: /rolldown\/runtime/ }] } },
    outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
    clean: true,
  },
  {
    ...common,
    entry: dual,
    format: 'cjs',
    // tsdown would advise against CommonJS; Jest leaves no choice.
    checks: { legacyCjs: false },
    // `import.meta.url` becomes this file's URL.
    shims: true,
    // Jest's sandbox has no `import()` without a flag, so what loads lazily must be required here.
    outputOptions: { dynamicImportInCjs: false },
    outExtensions: () => ({ js: '.cjs', dts: '.d.cts' }),
    clean: false,
  },
])
