import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'
import { early, painted } from './early/build-options.ts'
import { paint } from './paint/build-options.ts'
import { writePaintedPage } from './paint/page.ts'
import { serviceWorker } from './service-worker/build-options.ts'
import { chunkFiles, tabStarts, visitorStarts } from './tab-chunks.ts'

const dist = join(import.meta.dirname, 'dist')

process.env.NODE_ENV = 'production'
await build({ configFile: join(import.meta.dirname, 'vite.config.ts'), logLevel: 'warn' })
await build({ configFile: join(import.meta.dirname, 'simulator/vite.config.ts'), logLevel: 'warn' })
await build(early)
const manifest = JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8'))
// The route map of all screens, which the app loads after its first screen.
const routeMap = chunkFiles(manifest, 'routes')
await nameEarlyScript()
await build(paint)
await build(painted)
await writePaintedPage(dist, addressesOf(routeMap))
await build(serviceWorker(await shellFiles()))
await compressAll()
await writePolicy()
const size = await firstScreenSize()
console.log(`portal: first screen ${(size / 1024).toFixed(1)} KB brotli`)

/** Placed before the app's own scripts, none of which waits for it. */
async function nameEarlyScript() {
  const assets = await readdir(join(dist, 'assets'))
  const file = assets.find((asset) => /^early-.*\.js$/.test(asset))
  const page = join(dist, 'index.html')
  const html = await readFile(page, 'utf8')
  const tabs = tabStarts(manifest).map(({ address, fetches }) => [address, fetches.join(' ')])
  const attributes = [
    `data-route-map="${addressesOf(routeMap)}"`,
    `data-tabs="${withEntities(JSON.stringify(Object.fromEntries(tabs)))}"`,
    `data-visitor-tabs="${withEntities(JSON.stringify(visitorStarts))}"`,
  ].join(' ')
  // The largest file comes first: it gets the connection that is already open.
  await writeFile(
    page,
    html.replace(
      /<script type="module"[^>]*><\/script>/,
      `$&\n    <script async fetchpriority="high" src="/assets/${file}" ${attributes}></script>`,
    ),
  )
}

function withEntities(json: string) {
  return json.replaceAll('"', '&quot;')
}

function addressesOf(files: readonly string[]) {
  return files.map((file) => `/${file}`).join(' ')
}

/** Writes a .br and a .gz of every text file at the highest level, so that the server only picks one. */
async function compressAll() {
  const files = await readdir(dist, { recursive: true })
  for (const file of files.filter((name) =>
    /^[^.].*\.(m?js|css|html|svg|json|wasm|webmanifest)$/.test(name),
  )) {
    const content = await readFile(join(dist, file))
    const brotli = brotliCompressSync(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    })
    await writeFile(join(dist, `${file}.br`), brotli)
    await writeFile(join(dist, `${file}.gz`), gzipSync(content, { level: 9 }))
  }
}

/**
 * Writes the hashes of index.html's inline styles for the server's Content-Security-Policy. index.html has no inline
 * script; a painted page has one, and its own policy.
 */
async function writePolicy() {
  const html = await readFile(join(dist, 'index.html'), 'utf8')
  const styles = [...html.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, css]) => {
    const hash = createHash('sha256')
      .update(css ?? '')
      .digest('base64')
    return `sha256-${hash}`
  })
  if (/<script(?![^>]*\bsrc=)/.test(html)) throw new Error('index.html holds an inline script')
  await writeFile(join(dist, 'csp.json'), `${JSON.stringify({ styles })}\n`)
}

/**
 * Compressed size of the HTML, scripts and styles fetched by a first visit to home: everything that index.html names.
 */
async function firstScreenSize() {
  const files = ['index.html', ...(await namedFiles())]
  const sizes = await Promise.all(
    files.map(async (file) => (await readFile(join(dist, `${file}.br`))).length),
  )
  return sizes.reduce((sum, bytes) => sum + bytes, 0)
}

/** The scripts and styles that index.html names. */
async function namedFiles() {
  const html = await readFile(join(dist, 'index.html'), 'utf8')
  const named = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)]
  return [...new Set(named.map(([, file]) => file ?? ''))]
}

/** Files the shell needs offline: the page, its scripts and styles, and the route map. */
async function shellFiles() {
  const html = await readFile(join(dist, 'index.html'))
  return [
    { url: '/', revision: createHash('sha256').update(html).digest('hex').slice(0, 16) },
    ...[...(await namedFiles()), ...routeMap].map((file) => ({ url: `/${file}`, revision: null })),
  ]
}
