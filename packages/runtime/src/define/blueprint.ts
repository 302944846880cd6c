import type { JsonObject } from '../json.ts'
import type { CallerContext, MaybePromise, RequestContext } from '../source.ts'
import type { CacheHints, Frontmatter } from '../wire.ts'
import type { Bytes, FileBytes } from '../encoding/bytes.ts'
import { callApp } from '../computed/call.ts'
import { once, stateOf } from '../computed/state.ts'
import { toBytes } from '../encoding/bytes.ts'
import { fileUri, isName } from './path.ts'
import { writeFrontmatter } from './frontmatter.ts'
import { mimeType } from './mime.ts'

/** A file in code: text, bytes, or a function that gives either when the file is needed. */
export type FileContent = FileBytes | ((context: CallerContext) => MaybePromise<FileBytes>)

/** A file with the MIME type that its extension does not tell. */
export interface FileOptions {
  readonly content: FileContent
  readonly mimeType?: string
}

/** One file of a skill that is made in code. */
export interface CodeFile {
  /** Relative to the skill. */
  readonly path: string
  readonly mimeType: string
  /** Whether its content was there from the start. */
  readonly isConstant: boolean
  /** The content, rendered at most once a request. */
  render(context: RequestContext): Promise<Bytes>
}

/** A skill in code before it has a place: what `defineSkill` and `renderSkill` give to routes. */
export interface Blueprint {
  readonly frontmatter: Frontmatter
  /** `SKILL.md` first, the rest in byte order of their URIs. */
  readonly files: readonly CodeFile[]
  /** Folders that hold nothing, relative to the skill. */
  readonly directories: readonly string[]
  /** Whether its bytes are the same in every request; undefined where nothing was said. */
  readonly stable: boolean | undefined
  readonly hints: Partial<CacheHints> | undefined
  readonly version: ((context: CallerContext) => MaybePromise<string>) | undefined
  readonly meta: JsonObject | undefined
}

/**
 * A file whose content is made ready now, or by a call of the app when a request needs it.
 *
 * @throws TypeError for content of another type.
 */
export function codeFile(
  path: string,
  { content, mimeType: type = mimeType(path) }: FileOptions,
  timeoutMs: number | undefined,
  wrap: (content: FileBytes) => FileBytes = (content) => content,
): CodeFile {
  if (typeof content !== 'function') {
    const bytes = toBytes(wrap(content))
    return { path, mimeType: type, isConstant: true, render: async () => bytes }
  }
  const file: CodeFile = {
    path,
    mimeType: type,
    isConstant: false,
    render: (context) =>
      once(context, file, () =>
        stateOf(context).gate(
          () =>
            callApp(
              context,
              `the file ${path}`,
              async (context) => toBytes(wrap(await content(context))),
              timeoutMs,
            ),
          context.signal,
        ),
      ),
  }
  return file
}

/** `SKILL.md`: the frontmatter, and below it the body. */
export function withFrontmatter(frontmatter: Frontmatter): (body: FileBytes) => FileBytes {
  const head = writeFrontmatter(frontmatter)
  return (body) => {
    const { text } = toBytes(body)
    if (text === undefined) throw new TypeError('The body of SKILL.md is UTF-8 text without NUL')
    if (/^---\r?\n[\w-]+:/.test(text))
      throw new TypeError('SKILL.md is given without frontmatter: it is written ahead of the body')
    return head + text
  }
}

/**
 * Frontmatter as JSON has it, with the name that the path says.
 *
 * @throws TypeError for what hosts refuse.
 */
export function checkFrontmatter(given: JsonObject, name: string): Frontmatter {
  const { name: said = name, description, ...rest } = given
  if (said !== name || !isName(said))
    throw new TypeError(
      `The name in the frontmatter is "${String(said)}", but the skill path ends in "${name}"`,
    )
  if (typeof description !== 'string' || !description.trim() || description.length > 1024)
    throw new TypeError(`The skill "${name}" needs a description of 1 to 1024 characters`)
  const { metadata, compatibility, license } = rest
  if (metadata !== undefined && !isStrings(metadata))
    throw new TypeError(
      `The metadata of "${name}" must be an object of strings: hosts drop the skill otherwise`,
    )
  if (compatibility !== undefined && !(isText(compatibility) && compatibility.length <= 500))
    throw new TypeError(`The compatibility of "${name}" must be a text of 1 to 500 characters`)
  if (license !== undefined && !isText(license))
    throw new TypeError(`The license of "${name}" must be a text`)
  const frontmatter = { name, description, ...rest } as Frontmatter
  // Written once, so that whatever has no JSON form is refused now; and what is left is what JSON keeps.
  writeFrontmatter(frontmatter)
  return JSON.parse(JSON.stringify(frontmatter)) as Frontmatter
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isStrings(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((item) => typeof item === 'string')
  )
}

/**
 * Refuses paths that cannot be, and a file where another path needs a folder.
 *
 * @throws TypeError
 */
export function checkPaths(files: readonly string[], directories: readonly string[]): void {
  const uris = [...files, ...directories].map((path) => fileUri('skill://x', path))
  const held = new Set(uris)
  if (held.size < uris.length) throw new TypeError('Two entries of a skill have the same path')
  for (const [index, uri] of uris.entries())
    for (let end = uri.length; (end = uri.lastIndexOf('/', end - 1)) > 'skill://x'.length;)
      if (held.has(uri.slice(0, end)))
        throw new TypeError(
          `"${[...files, ...directories][index]}" lies below another entry, which is no folder or an empty one`,
        )
}
