import type { Params, SkillCatalog } from './catalog.ts'
import type { FeatureOptions, MethodTable } from './methods.ts'
import type { RequestContext } from './source.ts'
import { METHOD_NOT_FOUND, refuse } from './errors.ts'
import { tableOf, withHints } from './methods.ts'
import { MODERN } from './wire.ts'

export interface HandleContext extends RequestContext, FeatureOptions {
  /** The revision that client and server speak; without it, one before `2026-07-28`. */
  readonly protocolVersion?: string
}

/**
 * Answers a method of any JSON-RPC server: the neutral door for servers that no adapter knows.
 *
 * @throws ProtocolError with the JSON-RPC code of the answer: -32601 for a method that is not of skills,
 *   -32602 for what is not served.
 *
 * @example
 * const result = await handle(createCatalog(skills), 'skills/list', {})
 */
export async function handle(
  catalog: SkillCatalog,
  method: string,
  params: Params = {},
  context: HandleContext = {},
): Promise<object> {
  const isModern = context.protocolVersion! >= MODERN
  const answer = tableOf(catalog, context).methods.get(method) ?? refuse(METHOD_NOT_FOUND, 'Method not found')
  const result = withHints(await answer(Object(params) as Params, context), catalog, isModern)
  return isModern ? { resultType: 'complete', ...result } : result
}

/** What a server of a catalog declares in `capabilities`. */
export function capabilitiesOf(
  catalog: SkillCatalog,
  options: FeatureOptions = {},
): MethodTable['capabilities'] {
  return tableOf(catalog, options).capabilities
}
