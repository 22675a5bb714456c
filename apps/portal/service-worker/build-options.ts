import { join } from 'node:path'
import type { InlineConfig } from 'vite'

/** A single file at the root, because a service worker controls only its own folder. */
export const serviceWorker = (
  shellFiles: { url: string; revision: string | null }[],
): InlineConfig => ({
  root: import.meta.dirname,
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  define: {
    shellFiles: JSON.stringify(shellFiles),
    'process.env.NODE_ENV': '"production"',
  },
  build: {
    outDir: join(import.meta.dirname, '../dist'),
    emptyOutDir: false,
    reportCompressedSize: false,
    target: ['chrome87', 'safari14'],
    rolldownOptions: {
      input: join(import.meta.dirname, 'service-worker.ts'),
      output: { format: 'iife', entryFileNames: 'service-worker.js' },
    },
  },
})
