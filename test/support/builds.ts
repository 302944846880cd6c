/** Builds of an app's `main.js` for Node into `dist/main.js`; those of webpack and Rspack are in pack.ts. */
import path from 'node:path'
import type { Plugin as EsbuildPlugin } from 'esbuild'
import { build as esbuild } from 'esbuild'
import type { OutputOptions, Plugin as RollupPlugin } from 'rollup'
import { rollup } from 'rollup'
import type { InlineConfig, Plugin } from 'vite'
import { build, createBuilder } from 'vite'

export async function buildWithVite(
  root: string,
  plugins: readonly (Plugin | Plugin[])[],
  minify: 'esbuild' | 'oxc' | boolean = false,
): Promise<void> {
  await build({ ...viteConfig(root, plugins), build: { ssr: 'main.js', minify } })
}

/** Builds all environments, as those of `@cloudflare/vite-plugin`. */
export async function buildEnvironments(
  root: string,
  plugins: readonly (Plugin | Plugin[])[],
): Promise<void> {
  await (await createBuilder(viteConfig(root, plugins))).buildApp()
}

function viteConfig(root: string, plugins: readonly (Plugin | Plugin[])[]): InlineConfig {
  return { root, logLevel: 'silent', configFile: false, plugins: [...plugins] }
}

export async function buildWithRollup(
  root: string,
  plugins: readonly (RollupPlugin | RollupPlugin[])[],
  output: OutputOptions = {},
): Promise<void> {
  const bundle = await rollup({
    input: path.join(root, 'main.js'),
    external: /^@embed-skills/,
    logLevel: 'silent',
    plugins: [...plugins],
  })
  await bundle.write({ dir: path.join(root, 'dist'), ...output })
}

export async function buildWithEsbuild(
  root: string,
  plugins: readonly EsbuildPlugin[],
  minify = false,
): Promise<void> {
  await esbuild({
    absWorkingDir: root,
    entryPoints: ['main.js'],
    bundle: true,
    format: 'esm',
    platform: 'node',
    splitting: true,
    outdir: 'dist',
    minify,
    logLevel: 'silent',
    plugins: [...plugins],
  })
}
