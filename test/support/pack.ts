import path from 'node:path'
import { promisify } from 'node:util'
import type { rspack } from '@rspack/core'
import type { WebpackPluginInstance } from 'webpack'
import webpack from 'webpack'

/** Builds `entry` into `dist/main.js` with webpack or Rspack. */
export async function pack(
  bundler: typeof webpack | typeof rspack,
  root: string,
  plugins: readonly unknown[],
  entry: string = './main.js',
): Promise<void> {
  const compiler = (bundler as typeof webpack)({
    context: root,
    entry,
    mode: 'production',
    target: 'node20',
    experiments: { outputModule: true },
    output: { path: path.join(root, 'dist'), filename: 'main.js', module: true, chunkFormat: 'module' },
    plugins: plugins as WebpackPluginInstance[],
  })
  const stats = await promisify(compiler!.run.bind(compiler))()
  await promisify(compiler!.close.bind(compiler))()
  const [error] = stats!.toJson({ errors: true }).errors ?? []
  if (error) throw new Error(error.message)
}

/** A plugin that changes what is written, as late as one can. */
export function rewriting(rewrite: (code: string) => string): WebpackPluginInstance {
  return {
    apply({ hooks }: webpack.Compiler) {
      hooks.compilation.tap('rewriting', (compilation) => {
        compilation.hooks.processAssets.tap({ name: 'rewriting', stage: 1000 }, (assets) => {
          for (const name of Object.keys(assets))
            compilation.updateAsset(
              name,
              (source) => new webpack.sources.RawSource(rewrite(source.source().toString())) as never,
            )
        })
      })
    },
  }
}
