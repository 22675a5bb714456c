import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { contractTables } from '../contract-tables.ts'
import { iconSheet } from '../icon-sheet.ts'

/** The gallery in one piece, for the browser tests: from the development server it comes in hundreds. The texts are compiled before. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/gallery/',
  publicDir: '../public',
  plugins: [react(), contractTables(), iconSheet()],
  build: { minify: false, reportCompressedSize: false },
  logLevel: 'error',
})
