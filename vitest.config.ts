import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that start whole processes take the longest: one that begins last leaves the other core idle. */
const longest = /(main|outage|cli|backup|jobs|doctor)\.test\.ts$/

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
    // Much of a test is waiting for the database and for processes: one more than there are cores.
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
          // What the server is made of is loaded once for each worker; what is kept in memory hangs on a platform, and each file
          // has its own.
          isolate: false,
          setupFiles: './test/after-file.ts',
          // Built for bundlers: it imports its own package.json without saying that it is JSON.
          server: { deps: { inline: ['@lti-tool/core'] } },
          restoreMocks: true,
          // Real SQL and real password hashes, on machines that do other things too.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // What another process does is waited for; how soon it comes on a busy machine is no matter of these tests.
          expect: { poll: { timeout: 30_000 } },
        },
      },
    ],
  },
})
