import type { SkillCatalog, Skills } from './catalog.ts'
import { traitsOf } from './computed/traits.ts'

type OnChange = NonNullable<SkillCatalog['onChange']>

/** As much of a server of the official SDK, v2 or v1, as announcing takes. */
interface Announcer {
  readonly transport?: unknown
  onclose?: (() => void) | undefined
  registerCapabilities(capabilities: object): void
  sendResourceListChanged(): Promise<void>
}

/** As much of `FastMCP`. Its sessions are servers of v1, which are connected when it tells of them. */
interface FastMcpServer {
  on(event: 'connect', listener: (event: { session: { server: FastMcpSession } }) => void): unknown
}

interface FastMcpSession extends Announcer {
  /** Private; nobody may register more by then. */
  _capabilities: { readonly resources?: object }
}

/**
 * Advertises and sends `notifications/resources/list_changed` whenever skills change, through a server that
 * stays connected: one of the official SDK (stdio, a session), or every session of `fastmcp`. Call it before
 * the server connects. A handler that makes a server for each request has a bus of its own instead:
 * `skills.onChange(() => handler.notify.resourcesChanged())`.
 *
 * @param server An `McpServer`, a `Server` or a `FastMCP`.
 * @param skills What was attached to it: live skills, or what they were joined to.
 * @throws TypeError if nothing in it ever changes, or an access rule is around it: a change would tell of
 *   skills that the client may not see.
 *
 * @example
 * attachSkills(server, skills)
 * announceChanges(server, skills)
 */
export function announceChanges(server: object, skills: Skills): void {
  const onChange = changesOf(skills)
  if (!onChange)
    throw new TypeError(
      'Of these skills no change is announced: either there is none, or an access rule is around them, and a change could be one that the client may not see',
    )
  const target = ('server' in server ? server.server : server) as Announcer | FastMcpServer
  if ('registerCapabilities' in target) {
    target.registerCapabilities({ resources: { listChanged: true } })
    announce(target, onChange)
  } else
    target.on('connect', ({ session: { server } }) => {
      const { _capabilities: own } = server
      server._capabilities = { ...own, resources: { ...own.resources, listChanged: true } }
      announce(server, onChange)
    })
}

/** As a catalog of them would say it. */
function changesOf(skills: Skills): OnChange | undefined {
  if ('resources' in skills) return skills.onChange
  const { isRestricted, onChange } = traitsOf(skills)
  return isRestricted ? undefined : onChange
}

/** Tells one server of changes for as long as it is open. */
function announce(target: Announcer, onChange: OnChange): void {
  const { onclose } = target
  const stop = onChange(() => {
    // Nobody misses what is announced to nobody.
    if (target.transport) target.sendResourceListChanged().catch(stop)
  })
  function close(): void {
    stop()
    onclose?.()
  }
  // A property in both SDKs, and no event.
  Object.assign(target, { onclose: close })
}
