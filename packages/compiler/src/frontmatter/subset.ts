import type { YAMLMap } from 'yaml'
import type { SubsetFault } from './json.ts'
import type { Position } from './text.ts'

/**
 * What a parsed document no longer shows: markers, tabs and marks that `yaml` reads past and the official
 * SDK's reader refuses. `blocks` are the block scalars, inside of which a tab is content.
 */
export function layoutFaults(
  yaml: string,
  contents: YAMLMap,
  blocks: readonly (readonly [start: number, end: number])[],
  at: (offset: number) => Position,
): SubsetFault[] {
  const faults: SubsetFault[] = []
  const outside = (kind: SubsetFault['kind'], offset: number): void => {
    faults.push({ kind, at: at(offset) })
  }

  if (contents.flow) outside('top-level-flow', contents.range?.[0] ?? 0)
  const mark = yaml.indexOf('\uFEFF')
  if (mark !== -1 && /^(?:[\t ]*(?:#.*)?\n)*[\t ]*$/.test(yaml.slice(0, mark))) outside('bom', mark)
  const marker = /^(?:---|\.\.\.)(?=[\t ]|$)/m.exec(yaml)
  if (marker !== null) outside('marker', marker.index)
  const lone = yaml.indexOf('\r')
  if (lone !== -1) outside('carriage-return', lone)

  for (const tab of yaml.matchAll(/^ *\t[\t ]*[^\t\n #]/gm)) {
    if (!blocks.some(([start, end]) => start < tab.index && tab.index < end)) outside('tab', tab.index)
  }
  return faults
}
