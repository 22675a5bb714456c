import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const sheet = join(import.meta.dirname, 'src/ui/media/icons.svg')

/**
 * Puts the drawings of every icon into the page itself: the document comes in one round trip with or without them, and a
 * request of their own would share a slow network with the app.
 */
export function iconSheet(): Plugin {
  return {
    name: 'icon-sheet',
    configureServer: ({ watcher, ws }) => {
      watcher.add(sheet)
      watcher.on('change', (file) => {
        if (file === sheet) ws.send({ type: 'full-reload' })
      })
    },
    transformIndexHtml: () => [
      {
        tag: 'svg',
        attrs: { display: 'none', 'aria-hidden': 'true' },
        children: drawings(),
        injectTo: 'body',
      },
    ],
  }
}

/** Under names that nothing else on a page has. */
function drawings() {
  return readFileSync(sheet, 'utf8')
    .replace(/<svg[^>]*>|<\/svg>/g, '')
    .replaceAll('<symbol id="', '<symbol id="icon-')
    .replaceAll(/\s*\n\s*/g, '')
}
