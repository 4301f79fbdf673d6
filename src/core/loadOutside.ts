interface NodeModule {
  createRequire?: (file: string) => ((id: string) => unknown) & { resolve(id: string): string }
  /** Loads a file in the realm of Node itself. */
  _load?: (file: string) => unknown
}

/**
 * Loads a package outside of any sandbox; undefined where that cannot be done, and `import()` should say what is missing. Jest's
 * sandbox has timers and globals of its own, and cannot load a package that is an ES module; Node's own loader does both.
 */
export function loadOutside(name: string): unknown {
  try {
    const node = process.getBuiltinModule?.('node:module') as NodeModule | undefined
    // Not called `require`: in the CommonJS build import.meta.url needs the real one.
    const fromHere = node?.createRequire?.(import.meta.url)
    if (node === undefined || fromHere === undefined) return undefined
    // Jest 30.5 gives its own createRequire here, whose modules are the sandbox's; _load is still Node's.
    return node._load === undefined ? fromHere(name) : node._load(fromHere.resolve(name))
  } catch {
    // Bundled, or a runtime without these doors.
    return undefined
  }
}
