import type { Skill } from '@embed-skills/runtime'
import type { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import type { VerifyProblem } from './verify.ts'
import { canonical, filePathOf, filesOf, rootOf } from './ref.ts'

/** Whether every folder of a skill lists exactly the files that the manifest has there. */
export async function verifyDirectories(
  reader: SkillsClient,
  skill: Skill,
  options: Parameters<SkillsClient['get']>[1],
): Promise<VerifyProblem[]> {
  const uri = canonical(skill.uri)
  const problems: VerifyProblem[] = []
  const missing = new Set(filesOf(skill).keys())
  const folders = foldersOf(skill)
  for (const folder of folders)
    try {
      for (const child of (await reader.readDirectory(folder, options)).resources) {
        // A folder without files is in no manifest. It is not looked into: it could go on for ever.
        if (child.mimeType === 'inode/directory') continue
        const path = filePathOf(skill.uri, child.uri)
        if (!missing.delete(path))
          problems.push({
            skill: uri,
            file: path,
            field: 'directory',
            message: 'a folder lists it, the manifest does not',
          })
      }
    } catch (error) {
      problems.push({ skill: uri, field: 'directory', message: `${folder}: ${(error as Error).message}` })
    }
  for (const file of missing)
    problems.push({ skill: uri, file, field: 'directory', message: 'the manifest lists it, no folder does' })
  return problems
}

/** The URIs of the folders that hold a skill's files, its root among them. */
function foldersOf(skill: Skill): Set<string> {
  const root = rootOf(skill.uri)
  const folders = new Set([root])
  for (const { uri } of skill.resources === 'dynamic' ? [] : skill.resources)
    for (let at = canonical(uri); (at = at.slice(0, at.lastIndexOf('/'))).length > root.length;)
      folders.add(at)
  return folders
}
