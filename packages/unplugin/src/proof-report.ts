import type { Missing } from '@embed-skills/compiler/proof'

// A damaged set is damaged in many places, and of one kind.
const SHOWN = 10

/**
 * The message that fails a build.
 *
 * @param suspects Names of plugins that may have done it.
 */
export function reportMissing(missing: readonly Missing[], suspects: readonly string[]): string {
  const lines = missing.slice(0, SHOWN).map(({ fileName, what, difference }) => {
    if (!difference) return `- ${what}: it is not in ${fileName}`
    const { compiled, written } = difference
    return `- ${what}, in ${fileName}\n    compiled: ${JSON.stringify(compiled)}\n    written:  ${JSON.stringify(written)}`
  })
  if (missing.length > SHOWN) lines.push(`- and ${missing.length - SHOWN} more`)
  const isTemplate = missing.some(({ isTemplate }) => isTemplate)
  return `The written bundle does not hold what was compiled into it:\n${lines.join('\n')}\n${cause(suspects)} ${remedy(isTemplate)}`
}

function cause(suspects: readonly string[]): string {
  const names = suspects.map((name) => `"${name}"`)
  const who =
    names.length === 0
      ? 'Something rewrites the text of chunks, as @rollup/plugin-replace does.'
      : names.length === 1
        ? `The plugin ${names[0]} rewrites the text of chunks.`
        : `A plugin rewrites the text of chunks; it is one of ${names.join(', ')}.`
  return who
}

function remedy(isTemplate: boolean): string {
  // Templates are code, which base64 cannot hold.
  return isTemplate
    ? 'Skills would say something else than their folders. Keep it from the modules of embed-skills, whose ids begin with virtual:skills, or write the text of the template in another way; verify: false would ship it as it is.'
    : "Hosts would refuse such files, since their digests differ. Set encoding: 'base64' in the options of embed-skills, which keeps skills from it; verify: false would ship them as they are."
}

const KNOWN = /replace|string|banner|obfuscat|define/i

/** Those of the plugins that may rewrite chunks: the known kind, or else all that touch them. */
export function suspectsAmong(
  plugins: readonly { readonly name: string; readonly touchesChunks: boolean }[],
): readonly string[] {
  const touching = plugins
    .filter(
      ({ name, touchesChunks }) => touchesChunks && !/^(vite|builtin|native|embed-skills)[:\w-]*/.test(name),
    )
    .map(({ name }) => name)
  const known = touching.filter((name) => KNOWN.test(name))
  return known.length ? known : touching
}
