import type { Content } from '@embed-skills/compiler'

/** What a bundler tells of the place where its output will run. All of it may be unknown. */
export interface Target {
  readonly runtime?: 'browser' | 'server' | 'workerd' | undefined
  /** A dev server asks for modules one by one. */
  readonly dev?: boolean | undefined
  /** False if the output is a single file. */
  readonly splits?: boolean | undefined
  /** Of an error it shows no more than its message. */
  readonly messageOnly?: boolean | undefined
}

/** How contents travel, and why, as the summary line says it. */
export interface ContentChoice {
  readonly content: Content
  readonly reason: string
}

/** What `content: 'auto'` comes to. `bytes` is the size of all distinct contents. */
export function chooseContent({ target }: { target: Target; bytes: number }): ContentChoice {
  if (target.dev) return { content: 'chunks', reason: 'a dev server loads what is asked for' }
  if (target.runtime === 'workerd') return { content: 'inline', reason: 'Workers load every module at start' }
  if (target.splits === false) return { content: 'inline', reason: 'the output is one file' }
  return { content: 'chunks', reason: 'a skill is loaded when it is first read' }
}
