import { caseCollision } from './case-collision.ts'
import { compatibility } from './compatibility.ts'
import { description } from './description.ts'
import { dotName } from './dot-name.ts'
import { duplicateUri } from './duplicate-uri.ts'
import { encoding } from './encoding.ts'
import { fence } from './fence.ts'
import { fileName } from './file-name.ts'
import { frontmatterMapping } from './frontmatter-mapping.ts'
import { incidentalFile } from './incidental-file.ts'
import { jsonValues } from './json-values.ts'
import { limits } from './limits.ts'
import { metadata } from './metadata.ts'
import { nameMismatch } from './name-mismatch.ts'
import { name } from './name.ts'
import { noSkills } from './no-skills.ts'
import { nodeModules } from './node-modules.ts'
import { prefix } from './prefix.ts'
import { reservedMetadata } from './reserved-metadata.ts'
import { rootSkill } from './root-skill.ts'
import type { Rule } from './rule.ts'
import { sameName } from './same-name.ts'
import { skillMdCase } from './skill-md-case.ts'
import { skillMdMissing } from './skill-md-missing.ts'
import { specialFile } from './special-file.ts'
import { symlink } from './symlink.ts'
import { template } from './template.ts'
import { templateSkill } from './template-skill.ts'
import { unreadable } from './unreadable.ts'
import { yamlSubset } from './yaml-subset.ts'
import { yamlSyntax } from './yaml-syntax.ts'

/** Every rule, in the order of the stages that they look at. */
export const rules: readonly Rule[] = [
  noSkills,
  rootSkill,
  skillMdMissing,
  skillMdCase,
  unreadable,
  dotName,
  incidentalFile,
  nodeModules,
  symlink,
  specialFile,
  fileName,
  caseCollision,
  prefix,
  encoding,
  fence,
  yamlSyntax,
  frontmatterMapping,
  jsonValues,
  yamlSubset,
  name,
  nameMismatch,
  description,
  compatibility,
  metadata,
  reservedMetadata,
  limits,
  template,
  templateSkill,
  sameName,
  duplicateUri,
]
