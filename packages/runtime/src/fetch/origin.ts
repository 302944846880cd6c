/** Host names of this machine. */
export const LOCAL_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** Which web pages may call a server, and under which names. */
export interface OriginOptions {
  /**
   * Origins of web pages that may call this server, `https://app.example`, or `*` for all. Pages of its
   * own origin may, unless they came over plain HTTP under a public name: whoever owns the name can
   * point it at any machine (DNS rebinding).
   */
  readonly allowedOrigins?: readonly string[]
  /**
   * Host names, in small letters and without a port, under which this server may be called. Any by default, but where the
   * request came to a name of this machine its `Host` has to be one too.
   */
  readonly allowedHosts?: readonly string[]
}

/** What is wrong with the origin or the host of a request, if anything. */
export function refusedOrigin(
  { headers, url }: Request,
  { allowedOrigins = [], allowedHosts }: OriginOptions,
): string | undefined {
  const own = new URL(url)
  const host = headers.get('host') ?? own.host
  const name = host.replace(/:\d*$/, '').toLowerCase()
  const isLocal = LOCAL_HOSTS.includes(own.hostname)
  const hosts = allowedHosts ?? (isLocal && LOCAL_HOSTS)
  if (hosts && !hosts.includes(name)) return `Invalid Host ${host}`
  const origin = headers.get('origin')
  const isOwn = origin === own.origin && (own.protocol === 'https:' || isLocal || allowedHosts)
  const isAllowed = !origin || isOwn || allowedOrigins.includes(origin) || allowedOrigins.includes('*')
  return isAllowed ? undefined : `Invalid Origin ${origin}`
}
