import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Writes `count` skills of 5 files and 4 KiB each below `skills/` of a new folder, and gives the folder. */
export async function writeTree(count: number): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), `embed-skills-bench-${count}-`))
  for (let index = 0; index < count; index++) {
    const name = `skill-${String(index).padStart(4, '0')}`
    const folder = path.join(root, 'skills', name)
    await mkdir(path.join(folder, 'references'), { recursive: true })
    const head = `---\nname: ${name}\ndescription: Skill ${index} of a catalog that exists to be measured.\n---\n`
    await writeFile(path.join(folder, 'SKILL.md'), fill(head, name))
    for (const part of [1, 2, 3, 4])
      await writeFile(path.join(folder, `references/part-${part}.md`), fill(`# Part ${part}\n`, name))
  }
  return root
}

/** Lines after `head`, up to 4 KiB. */
function fill(head: string, name: string): string {
  let text = head
  for (let line = 1; text.length < 4096; line++) text += `${line}. A line of ${name}, like those around it.\n`
  return text.slice(0, 4095) + '\n'
}
