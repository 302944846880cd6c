import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { demoSkills } from '../support/demo.ts'
import { importSkills } from '../support/modules.ts'
import { binary, runNode } from '../support/run.ts'
import { kinds, listen } from '../support/servers.ts'

const compiled = await importSkills(await demoSkills())
const conformance = binary('@modelcontextprotocol/conformance', 'conformance')

/** The suite runs in the modern era; a server that knows only the legacy one has to be forced upon it. */
const LEGACY_ONLY = ['--spec-version', '2025-11-25', '--force']

describe.each(kinds.filter(({ isUsual }) => isUsual))('$name', ({ eras, listener }) => {
  test.each(['enumeration', 'manifest', 'directory'])(
    'passes every check of the official scenario sep-2640-skills-%s',
    async (scenario) => {
      await using server = await listen(listener(compiled))
      const target = ['server', '--url', server.url, '--scenario', `sep-2640-skills-${scenario}`]
      const { code, stdout, stderr } = await runNode([
        conformance,
        ...target,
        ...(eras.includes('modern') ? [] : LEGACY_ONLY),
      ])
      const report = stripVTControlCharacters(stdout)
      expect(report + stderr).toMatch(/Passed: (\d+)\/\1, 0 failed, 0 warnings/)
      expect(code).toBe(0)
      // A scenario whose checks were all skipped would pass as well.
      const checks = report.match(/\] SUCCESS /g) ?? []
      expect(checks.length).toBeGreaterThanOrEqual({ enumeration: 30, manifest: 6, directory: 7 }[scenario]!)
    },
  )
})
