import { paraglideVitePlugin } from '@inlang/paraglide-js'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { contractTables } from './contract-tables.ts'
import { firstScreen } from './first-screen.ts'
import { iconSheet } from './icon-sheet.ts'
import { pdfFiles } from './pdf-files.ts'
import { tabChunk } from './tab-chunks.ts'

const server = process.env.ATRIUM_DEV_SERVER ?? 'http://localhost:8080'
const mounts = [
  '/token',
  '/cas',
  '/portal-api',
  '/message',
  '/transaction',
  '/schedule',
  '/personal',
  '/files',
  '/scim',
  '/caldav',
  '/thumbor',
  '/robot',
  '/console-api',
]

// Tests use the texts compiled by `npm run messages`: the compiler would keep unit test runs from ending and, in the
// gallery of the browser tests, would empty the folder that other tests read.
const texts =
  process.env.VITEST || process.env.ATRIUM_TEXTS_READY
    ? []
    : paraglideVitePlugin({
        project: './project.inlang',
        outdir: './src/paraglide',
        strategy: ['globalVariable', 'baseLocale'],
        isServer: 'false',
      })

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), texts, contractTables(), iconSheet(), firstScreen(), pdfFiles()],
  server: { proxy: Object.fromEntries(mounts.map((mount) => [`${mount}/`, server])) },
  build: {
    // Old phones remain in use in webviews.
    target: ['chrome87', 'safari14'],
    modulePreload: { polyfill: false },
    // For the bench, which measures what each screen adds.
    manifest: true,
    reportCompressedSize: false,
    // For pdf.js, which is only loaded for PDFs.
    chunkSizeWarningLimit: 1000,
    // On a phone's network, saving a request matters more than a few hundred bytes in the document.
    assetsInlineLimit: 0,
    rolldownOptions: {
      checks: { ineffectiveDynamicImport: false, bundlerTimings: false },
      output: {
        codeSplitting: {
          // A later screen loads its own file and, the first time, the code shared by several screens.
          groups: [
            // One file: two would compete on a slow network, and each connection starts slowly. A new version is
            // fetched in the background.
            { name: 'app', tags: ['$initial'], priority: 4 },
            // A start on another tab waits only for its own code and the code shared by tabs.
            { name: tabChunk, priority: 3.5, includeDependenciesRecursively: false },
            // Entries and titles of all screens, without other code to wait for.
            { name: 'routes', test: /\/src\/routes(\.ts$|\/)/, priority: 3 },
            // Only lists that are put in order need it, and it is as large as all other shared code.
            {
              name: 'dragging',
              test: /\/node_modules\/(@dnd-kit|@preact)\/|\/src\/ui\/(dragging|draggable-rows|order-list)\./,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            {
              name: 'ui',
              test: /\/src\/(ui|lib|shell|paraglide)\//,
              minShareCount: 3,
              priority: 1,
            },
          ],
        },
      },
    },
  },
})
