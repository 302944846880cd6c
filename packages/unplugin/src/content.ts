import type { Content } from '@embed-skills/compiler'

/** What a bundler tells of the place where its output will run. All of it may be unknown. */
export interface Target {
  readonly runtime?: 'browser' | 'server' | 'workerd' | undefined
  /** A dev server asks for modules one by one. */
  readonly dev?: boolean | undefined
  /** Whether an import of a `.bin` file gives its bytes; undefined where nobody says. */
  readonly binary?: boolean | undefined
  /** False if the output is a single file. */
  readonly splits?: boolean | undefined
  /** Whether nothing but the message of an error arrives there. */
  readonly messageOnly?: boolean | undefined
}

/** How contents travel, and why, as the summary line says it. */
export interface ContentChoice {
  readonly content: Content
  readonly reason: string
}

/** From here on literals cost a Worker more than a pack does. */
const PACKED = 1024 * 1024

/** What is chosen for. */
export interface Chosen {
  readonly target: Target
  /** The size of all distinct contents. */
  readonly bytes: number
  /** Whether there are templates: code, which no pack can hold. */
  readonly hasTemplates: boolean
}

/** What `content: 'auto'` comes to. */
export function chooseContent({ target, bytes, hasTemplates }: Chosen): ContentChoice {
  if (target.dev) return { content: 'chunks', reason: 'a dev server loads what is asked for' }
  if (target.runtime === 'workerd') {
    const isLarge = target.binary && bytes >= PACKED
    if (isLarge && hasTemplates)
      return {
        content: 'inline',
        reason: 'a pack, which suits a Worker of 1 MiB or more, holds no templates',
      }
    if (isLarge)
      return { content: 'pack', reason: 'Workers load every module at start, and this is 1 MiB or more' }
    return { content: 'inline', reason: 'Workers load every module at start' }
  }
  if (target.splits === false) return { content: 'inline', reason: 'the output is one file' }
  return { content: 'chunks', reason: 'a skill is loaded when it is first read' }
}
