import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { contractTables } from '../contract-tables.ts'
import { iconSheet } from '../icon-sheet.ts'

const root = import.meta.dirname

/** The simulator is a separate app, so that members' builds contain nothing of it. The texts must be compiled first. */
export default defineConfig({
  root,
  base: '/simulator/',
  publicDir: false,
  plugins: [
    react(),
    contractTables(),
    iconSheet(),
    {
      name: 'wx',
      closeBundle: () => copyFile(join(root, 'wx.js'), join(root, 'dist/wx.js')),
    },
  ],
  build: { outDir: 'dist', emptyOutDir: true, assetsInlineLimit: 0, reportCompressedSize: false },
})
