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

// Tests take the texts as `npm run messages` left them: the compiler would keep a run of unit tests from ending,
// and, in the gallery of the browser tests, empty the folder that other tests read from.
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
    // Old phones live on in webviews.
    target: ['chrome87', 'safari14'],
    modulePreload: { polyfill: false },
    // For the bench, which says what each screen adds.
    manifest: true,
    reportCompressedSize: false,
    // pdf.js, which only those fetch who look at a PDF.
    chunkSizeWarningLimit: 1000,
    // One request less matters more on a phone's network than a few hundred bytes in the document.
    assetsInlineLimit: 0,
    rolldownOptions: {
      checks: { ineffectiveDynamicImport: false, bundlerTimings: false },
      output: {
        codeSplitting: {
          // A later screen fetches its own file and, the first time, what several screens share.
          groups: [
            // One file: two at a time share a slow network, and each begins slowly. A new version is fetched in the background.
            { name: 'app', tags: ['$initial'], priority: 4 },
            // A start on another tab waits for its own code and what tabs share, and for nothing else.
            { name: tabChunk, priority: 3.5, includeDependenciesRecursively: false },
            // The lines and titles of all screens: nothing else waits for anything but these.
            { name: 'routes', test: /\/src\/routes(\.ts$|\/)/, priority: 3 },
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
