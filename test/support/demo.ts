import path from 'node:path'
import type { CompiledSkill } from '@embed-skills/compiler'
import { compile } from '@embed-skills/compiler'

const root = path.join(import.meta.dirname, '../../playground/worker')

/** The skills of the demo: nested, with a prefix, binary and non-ASCII files, and an empty one. */
export async function demoSkills(): Promise<readonly CompiledSkill[]> {
  return (await compile(['skills/**', { from: 'billing/*', prefix: 'acme/billing' }], { root })).skills
}
