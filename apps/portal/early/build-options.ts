import { join } from 'node:path'
import type { InlineConfig } from 'vite'
import { contractTables } from '../contract-tables.ts'

/** Makes the first requests: a single file without imports. */
export const early = script('early.ts', 'assets/early-[hash].js')
/** Inlined into painted pages by paint/page.ts. */
export const painted = script('painted.ts', '.paint/painted.js')

function script(input: string, entryFileNames: string): InlineConfig {
  return {
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
        input: join(import.meta.dirname, input),
        output: { format: 'iife', entryFileNames },
      },
    },
  }
}
