import fs from 'node:fs'
import path from 'node:path'
import type { FindingsCache } from '@embed-skills/compiler'
import { RULE_SET, writeWholeSync } from '@embed-skills/compiler'

/** A cache in a file, which `save` writes with what was asked for in this run. */
export interface FileCache extends FindingsCache {
  save(): void
}

interface Stored {
  readonly ruleSet: string
  readonly findings: Readonly<Record<string, unknown>>
}

/** The file of the cache: in the nearest `node_modules` from `folder` upwards; undefined if there is none. */
export function cacheFile(folder: string): string | undefined {
  const modules = path.join(folder, 'node_modules')
  if (fs.existsSync(modules)) return path.join(modules, '.cache/embed-skills/check.json')
  const parent = path.dirname(folder)
  return parent === folder ? undefined : cacheFile(parent)
}

/** Findings of other rules than those of this version are worth nothing, and a damaged file neither. */
export function openCache(file: string): FileCache {
  const known = load(file)
  const used: Record<string, unknown> = {}
  let isChanged = false
  return {
    get(key) {
      const value = Object.hasOwn(known, key) ? known[key] : undefined
      if (value !== undefined) used[key] = value
      return value
    },
    set(key, value) {
      used[key] = value
      isChanged = true
    },
    save() {
      if (!isChanged && Object.keys(used).length === Object.keys(known).length) return
      try {
        writeWholeSync(file, JSON.stringify({ ruleSet: RULE_SET, findings: used } satisfies Stored))
      } catch {
        // A folder that cannot be written to makes the next run slower, and no more.
      }
    },
  }
}

function load(file: string): Stored['findings'] {
  try {
    const { ruleSet, findings } = JSON.parse(fs.readFileSync(file, 'utf8')) as Stored
    return ruleSet === RULE_SET ? findings : {}
  } catch {
    return {}
  }
}
