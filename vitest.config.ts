import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that start whole processes take the longest: one that begins last leaves the other core idle. */
const longest = /(main|cli|backup)\.test\.ts$/

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
    projects: [
      {
        root: 'packages/contract',
        test: { name: 'contract', include: ['src/**/*.test.ts'] },
      },
      {
        root: 'packages/rules',
        test: { name: 'rules', include: ['src/**/*.test.ts'] },
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
          // Real SQL and real password hashes, on machines that do other things too.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
