import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that start whole processes take longest, so they run first: one starting last would leave other cores idle. */
const longest = /(main|outage|cli|backup|jobs|jobs-killed|doctor)\.test\.ts$/

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    const [first, rest] = [true, false].map((long) =>
      sorted.filter(({ moduleId }) => longest.test(moduleId) === long),
    ) as [TestSpecification[], TestSpecification[]]
    return [...first, ...rest]
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // Tests mostly wait for the database and processes: one worker more than there are cores.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        root: 'packages/contract',
        test: { name: 'contract', include: ['src/**/*.test.ts'], testTimeout: 20_000 },
      },
      {
        root: 'packages/rules',
        test: { name: 'rules', include: ['src/**/*.test.ts'], testTimeout: 20_000 },
      },
      {
        root: 'apps/portal',
        extends: './apps/portal/vite.config.ts',
        test: {
          name: 'portal',
          include: ['**/*.test.{ts,tsx}'],
          css: false,
          testTimeout: 20_000,
        },
      },
      {
        root: 'apps/server',
        test: {
          name: 'server',
          include: ['**/*.test.ts'],
          globalSetup: './test/setup.ts',
          // Modules are loaded once per worker; in-memory state belongs to a platform, and each file has its own.
          isolate: false,
          setupFiles: './test/after-file.ts',
          // Built for bundlers: it imports its own package.json without an import attribute.
          server: { deps: { inline: ['@lti-tool/core'] } },
          restoreMocks: true,
          // Real SQL and real password hashes, on machines with other load.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // Polls wait for other processes; how fast those are on a busy machine is not under test.
          expect: { poll: { timeout: 30_000 } },
        },
      },
    ],
  },
})
