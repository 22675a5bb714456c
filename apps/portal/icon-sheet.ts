import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const sheet = join(import.meta.dirname, 'src/ui/media/icons.svg')

/**
 * Inlines all icons into the page: the document takes one round trip with or without them, and a separate request would
 * compete with the app on a slow network.
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

/** Prefixes the ids to make them unique on the page. */
function drawings() {
  return readFileSync(sheet, 'utf8')
    .replace(/<svg[^>]*>|<\/svg>/g, '')
    .replaceAll('<symbol id="', '<symbol id="icon-')
    .replaceAll(/\s*\n\s*/g, '')
}
