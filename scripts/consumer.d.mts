export declare const root: string
export declare function scratch(name: string): string
export declare function remove(folder: string): void
export declare function run(
  cwd: string,
  command: string,
  args: readonly string[],
  options?: { env?: Record<string, string>; timeoutMs?: number },
): Promise<{ code: number; output: string }>
export declare function pack(
  folder: string,
): Promise<{ tarball: string; size: number; unpackedSize: number; files: string[] }>
export declare function project(options: {
  fixture: string
  tarball: string
  install?: readonly string[]
  link?: readonly string[]
  npmArgs?: readonly string[]
}): Promise<string>
export declare function installedVersion(name: string): string
export declare function bytes(folder: string): number
