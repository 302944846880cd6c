/** Where clients look for protected resource metadata (RFC 9728), ahead of the path of the server. */
export const METADATA = '/.well-known/oauth-protected-resource'

/** The path of the metadata of a server at `path`. */
export function metadataPath(path: string): string {
  return path === '/' ? METADATA : METADATA + path
}
