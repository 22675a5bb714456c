import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Writes the template of painted pages: index.html with inlined styles, so that it is painted without waiting, and
 * without scripts that would compete for the network. painted.js loads those afterwards. The server fills in the
 * placeholders (platform/http/painter.ts).
 */
export async function writePaintedPage(dist: string, routeMap: string) {
  const html = await readFile(join(dist, 'index.html'), 'utf8')
  const script = (await readFile(join(dist, '.paint/painted.js'), 'utf8')).trim()
  const sheets = [...html.matchAll(/\s*<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>/g)]
  const styles = await Promise.all(
    sheets.map(([, file]) => readFile(join(dist, file ?? ''), 'utf8')),
  )
  const css = [...styles.map((style) => style.trim()), hidden].join('\n')
  const [, app] = /<script type="module"[^>]*src="([^"]+)"/.exec(html) ?? []
  const [, early] = /<script async[^>]*src="([^"]+)"/.exec(html) ?? []
  if (!app || !early) throw new Error('index.html does not name the app and the early script')
  let page = html.replace(/\s*<script[^>]*><\/script>/g, '')
  // The styles are inlined; the disabled links keep the app from loading the same sheets again with a chunk that needs
  // them.
  for (const [link, file] of sheets)
    page = page.replace(link, `\n    <link rel="stylesheet" crossorigin href="/${file}" disabled>`)
  const attributes = `data-for="%for%" data-notice="%notice%" data-app="${app}" data-early="${early}" data-route-map="${routeMap}"`
  page = page
    .replace(/<html[^>]*>/, '<html lang="%lang%">')
    .replace(/<title>[^<]*<\/title>/, '<title>%title%</title>')
    .replace(
      '</head>',
      () =>
        `  <style>${css}</style>\n    %styles%\n    <script ${attributes}>${script}</script>\n  </head>`,
    )
    .replace('<div id="root">', '<div id="root">\n      <div class="painted">%markup%</div>')
  await writeFile(join(dist, '.paint/home.html'), page)
  const inPage = [...page.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, text]) => text ?? '')
  const policy = { styles: inPage.map(hashOf), script: hashOf(script) }
  await writeFile(join(dist, '.paint/policy.json'), `${JSON.stringify(policy)}\n`)
}

/** Content painted for someone else stays hidden behind the splash, as on any other start. */
const hidden = `.painted~.splash{display:none}
[data-unpainted] .painted{display:none}[data-unpainted] .splash{display:grid}`

const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`
