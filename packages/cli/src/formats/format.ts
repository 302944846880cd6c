import type { CompileResult } from '@embed-skills/compiler'

export interface FormatContext {
  /** The folder that files of diagnostics are relative to. */
  readonly root: string
  readonly colour: boolean
}

/** A way to print what `check` found. */
export type Format = (result: CompileResult, context: FormatContext) => string

/** Each in a file of its own that is loaded when it is asked for. */
export const formats: Readonly<Record<string, () => Promise<{ default: Format }>>> = {
  pretty: () => import('./pretty.ts'),
  json: () => import('./json.ts'),
  github: () => import('./github.ts'),
  sarif: () => import('./sarif.ts'),
}
