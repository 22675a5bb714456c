import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { contractTables } from '../contract-tables.ts'
import { iconSheet } from '../icon-sheet.ts'

/**
 * Bundles the gallery for the browser tests; the development server would serve hundreds of files. The texts must be
 * compiled first.
 */
export default defineConfig({
  root: import.meta.dirname,
  base: '/gallery/',
  publicDir: '../public',
  plugins: [react(), contractTables(), iconSheet()],
  build: { minify: false, reportCompressedSize: false },
  logLevel: 'error',
})
