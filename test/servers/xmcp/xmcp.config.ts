import type { XmcpConfig } from 'xmcp'

// The port and the origin become part of the build.
const config: XmcpConfig = {
  http: {
    port: Number(process.env['XMCP_PORT'] ?? 3001),
    cors: { origin: process.env['XMCP_ORIGIN'] ?? 'https://app.example' },
  },
  paths: { prompts: false, resources: false },
}

export default config
