import { allowedTools } from './allowed-tools.ts'
import { binaryFile } from './binary-file.ts'
import { bodyLength } from './body-length.ts'
import { brokenLink } from './broken-link.ts'
import { buildOutput } from './build-output.ts'
import { caseCollision } from './case-collision.ts'
import { compatibility } from './compatibility.ts'
import { cutText } from './cut-text.ts'
import { description } from './description.ts'
import { dotName } from './dot-name.ts'
import { duplicateUri } from './duplicate-uri.ts'
import { encoding } from './encoding.ts'
import { fence } from './fence.ts'
import { fileName } from './file-name.ts'
import { frontmatterMapping } from './frontmatter-mapping.ts'
import { incidentalFile } from './incidental-file.ts'
import { jsonValues } from './json-values.ts'
import { leftOutLink } from './left-out-link.ts'
import { lfsPointer } from './lfs-pointer.ts'
import { license } from './license.ts'
import { limits } from './limits.ts'
import { lineEndings } from './line-endings.ts'
import { lossyNumber } from './lossy-number.ts'
import { mainFile } from './main-file.ts'
import { metadata } from './metadata.ts'
import { nameMismatch } from './name-mismatch.ts'
import { name } from './name.ts'
import { noSkills } from './no-skills.ts'
import { nodeModules } from './node-modules.ts'
import { outsideLink } from './outside-link.ts'
import { portableName } from './portable-name.ts'
import { portableValues } from './portable-values.ts'
import { portableYaml } from './portable-yaml.ts'
import { prefix } from './prefix.ts'
import { reservedMetadata } from './reserved-metadata.ts'
import { rootSkill } from './root-skill.ts'
import type { Rule } from './rule.ts'
import { sameName } from './same-name.ts'
import { secret } from './secret.ts'
import { skillMdCase } from './skill-md-case.ts'
import { skillMdMissing } from './skill-md-missing.ts'
import { specialFile } from './special-file.ts'
import { symlink } from './symlink.ts'
import { unknownField } from './unknown-field.ts'
import { unreadable } from './unreadable.ts'
import { userScope } from './user-scope.ts'
import { yamlSubset } from './yaml-subset.ts'
import { yamlSyntax } from './yaml-syntax.ts'

/** Every rule, in the order of the stages that they look at. */
export const rules: readonly Rule[] = [
  noSkills,
  userScope,
  rootSkill,
  skillMdMissing,
  skillMdCase,
  mainFile,
  unreadable,
  dotName,
  incidentalFile,
  nodeModules,
  buildOutput,
  symlink,
  specialFile,
  fileName,
  caseCollision,
  portableName,
  prefix,
  encoding,
  fence,
  yamlSyntax,
  frontmatterMapping,
  jsonValues,
  name,
  nameMismatch,
  description,
  compatibility,
  metadata,
  yamlSubset,
  reservedMetadata,
  license,
  allowedTools,
  unknownField,
  cutText,
  lossyNumber,
  portableYaml,
  portableValues,
  binaryFile,
  lfsPointer,
  lineEndings,
  bodyLength,
  brokenLink,
  leftOutLink,
  outsideLink,
  // After those about links, which have decoded the text already.
  secret,
  limits,
  sameName,
  duplicateUri,
]
