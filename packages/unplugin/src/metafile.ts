/** As much of the metafile of esbuild and Bun. */
export interface Metafile {
  readonly outputs: Readonly<
    Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>
  >
}

/** The scripts that hold modules of ours, by name, with the ids of those. Nobody says which exports were kept. */
export function heldModules(
  { outputs }: Metafile,
  namespace: string,
): readonly [fileName: string, modules: ReadonlyMap<string, undefined>][] {
  return Object.entries(outputs).flatMap(([fileName, { inputs }]) => {
    const ours = Object.entries(inputs)
      .filter(([id, { bytesInOutput }]) => id.startsWith(`${namespace}:`) && bytesInOutput > 0)
      .map(([id]) => [id.slice(namespace.length + 1), undefined] as const)
    return ours.length && /\.[cm]?js$/.test(fileName) ? [[fileName, new Map(ours)] as const] : []
  }) as [string, ReadonlyMap<string, undefined>][]
}
