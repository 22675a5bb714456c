import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import type { InlineConfig, Plugin } from 'vite'
import { contractTables } from '../contract-tables.ts'
import { firstScreen } from '../first-screen.ts'

/** Replaces dynamic imports: code loaded later is not part of the painted page. */
const noDynamicImports: Plugin = {
  name: 'nothing-later',
  enforce: 'pre',
  transform: {
    filter: { id: /apps\/portal\/src\/.*\.tsx?$/ },
    handler: (code) => ({
      code: code.replace(/(?<!typeof )\bimport\(\s*'[^']+'\s*\)/g, 'new Promise<any>(() => {})'),
      map: null,
    }),
  },
}

/** A single script that only the server runs (platform/http/painter.ts). */
export const paint: InlineConfig = {
  root: join(import.meta.dirname, '..'),
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  plugins: [noDynamicImports, react(), contractTables(), firstScreen()],
  define: { 'process.env.NODE_ENV': '"production"' },
  ssr: { noExternal: true, target: 'webworker' },
  build: {
    ssr: true,
    emptyOutDir: true,
    outDir: join(import.meta.dirname, '../dist/.paint'),
    reportCompressedSize: false,
    rolldownOptions: {
      input: join(import.meta.dirname, 'paint.tsx'),
      output: { format: 'iife', entryFileNames: 'paint.js' },
    },
  },
}
