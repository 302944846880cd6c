import type { XmcpConfig } from 'xmcp'

// The port becomes part of the build.
const config: XmcpConfig = {
  http: { port: Number(process.env['XMCP_PORT'] ?? 3001) },
  paths: { prompts: false, resources: false },
}

export default config
