import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'

const dist = join(import.meta.dirname, 'dist')

process.env.NODE_ENV = 'production'
await build({ configFile: join(import.meta.dirname, 'vite.config.ts'), logLevel: 'warn' })
await compressAll()
await writePolicy()
const size = await firstScreenSize()
console.log(`portal: first screen ${(size / 1024).toFixed(1)} KB brotli`)

/** Every text file gets a .br and a .gz beside it, at the highest level: the server only picks one. */
async function compressAll() {
  const files = await readdir(dist, { recursive: true })
  for (const file of files.filter((name) => /\.(js|css|html|svg|json|webmanifest)$/.test(name))) {
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

/** The hashes of the styles written into index.html, for the server's Content-Security-Policy. There is no inline script. */
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

/** What a first visit to home fetches of HTML, scripts and styles: everything index.html names. */
async function firstScreenSize() {
  const html = await readFile(join(dist, 'index.html'), 'utf8')
  const named = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map(
    ([, file]) => file ?? '',
  )
  const files = ['index.html', ...new Set(named)]
  const sizes = await Promise.all(
    files.map(async (file) => (await readFile(join(dist, `${file}.br`))).length),
  )
  return sizes.reduce((sum, bytes) => sum + bytes, 0)
}
