import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
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
