import { join } from 'node:path'
import type { InlineConfig } from 'vite'
import { contractTables } from '../contract-tables.ts'

/** One file that waits for no other. */
export const early: InlineConfig = {
  root: import.meta.dirname,
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  plugins: [contractTables()],
  build: {
    outDir: join(import.meta.dirname, '../dist'),
    emptyOutDir: false,
    reportCompressedSize: false,
    target: ['chrome87', 'safari14'],
    rolldownOptions: {
      input: join(import.meta.dirname, 'early.ts'),
      output: { format: 'iife', entryFileNames: 'assets/early-[hash].js' },
    },
  },
}
