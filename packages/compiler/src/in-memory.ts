import type { CompiledSkills } from '@embed-skills/runtime'
import { assignSlots, slotName } from './emit/groups.ts'
import { groupedRows } from './emit/rows.ts'
import { FORMAT } from './emit/set.ts'
import { plainValue } from './emit/values.ts'
import type { CompiledSkill } from './types.ts'

/**
 * Compiled skills as the runtime takes them, without modules in between: for a server in the same process.
 *
 * @param skills By URI, as `compile` gives them.
 *
 * @example
 * const { skills } = await compile('skills/*')
 * const server = serveSkills(compiledSet(skills), { name: 'acme', version: '1.0.0' })
 */
export function compiledSet(skills: readonly CompiledSkill[]): CompiledSkills {
  const { rows, groups } = groupedRows(skills, assignSlots(skills))
  return {
    format: FORMAT,
    skills: Object.fromEntries(rows.map(({ uri, json }) => [uri, json])),
    load: (group) =>
      Object.fromEntries(
        groups[group]!.files.map((file, index) => [slotName(file, index), plainValue(file)]),
      ),
  }
}
