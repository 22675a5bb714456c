// Finds or installs a Chromium for the browser tests. Plain JavaScript on any Node from 20.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { node, projectEnv, root } from './install.mjs'
import { run } from './run.mjs'

/**
 * Returns the environment that tells playwright.config.ts which browser to use. The sources are tried in order, and a
 * browser counts only if it can open a page: some systems put a stub on PATH that merely explains how to install one.
 * Returns undefined if there is none, after printing what to do.
 */
export async function findBrowser() {
  const configured = process.env.ATRIUM_CHROMIUM
  if (configured) {
    if (await canOpenPage(configured)) return browserEnv(configured)
    console.error(`The browser in ATRIUM_CHROMIUM does not start: ${configured}`)
    return undefined
  }
  for (const find of [onPath, fromPlaywright, bySystemPackages, byPlaywright, fromNpmPackage]) {
    const found = await find()
    if (found) return { ...found, ...(await findFullBrowser(found)) }
  }
  console.error(
    'The browser tests need Chromium, and it could not be installed. Install Chromium or Chrome on PATH, or set ATRIUM_CHROMIUM to its path, then try again.',
  )
  return undefined
}

/** Playwright's own default for tests comes first: the same engine without a window, half as heavy. */
const browsers = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]

async function onPath(names = browsers) {
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  for (const name of names) {
    const file = folders.map((folder) => path.join(folder, name)).find(existsSync)
    if (file && (await canOpenPage(file))) return browserEnv(file)
  }
  return undefined
}

/**
 * The headless shell reports notifications as denied regardless of what a test grants, so tests with notifications need
 * a full browser. Without one they report that they were skipped.
 */
async function findFullBrowser({ ATRIUM_CHROMIUM: found }) {
  const [shell, ...fullBrowsers] = browsers
  if (path.basename(found) !== shell) return undefined
  const existing = await onPath(fullBrowsers)
  if (existing) return { ATRIUM_CHROMIUM_WHOLE: existing.ATRIUM_CHROMIUM }
  const installed = await bySystemPackages(fullBrowsers.slice(0, 1))
  return installed && { ATRIUM_CHROMIUM_WHOLE: installed.ATRIUM_CHROMIUM }
}

/** A browser that Playwright has already downloaded, for this or another project. */
async function fromPlaywright() {
  const file = await runCode(
    `import('playwright-core').then((p) => console.log(p.chromium.executablePath()))`,
  )
  return existsSync(file) && (await canOpenPage(file)) ? browserEnv(file) : undefined
}

async function bySystemPackages(names = browsers.slice(0, 2)) {
  const isRoot = process.getuid?.() === 0
  if (!isRoot || !existsSync('/usr/bin/apt-get')) return undefined
  console.log('Installing Chromium with apt-get (about 400 MB) …')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  // One unreachable source need not be the one with Chromium.
  await run('apt-get', ['-q', 'update'], { env, output: 'capture' })
  for (const name of names) {
    await run('apt-get', ['-qy', 'install', name, 'fonts-noto-cjk'], { env, output: 'capture' })
    const found = await onPath(names)
    if (found) return found
  }
  return undefined
}

async function byPlaywright() {
  console.log("Downloading Playwright's Chromium …")
  const env = { ...projectEnv }
  delete env.PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD
  await run('playwright', ['install', 'chromium'], { env, output: 'capture', timeoutSeconds: 300 })
  return fromPlaywright()
}

/** A headless Chromium from an npm package. It needs the NSS libraries, and includes them for systems without. */
async function fromNpmPackage() {
  if (process.platform !== 'linux') return undefined
  console.log('Unpacking the Chromium of @sparticuz/chromium …')
  const folder = path.join(root, 'node_modules/.cache/chromium')
  const file = await runCode(
    `import { mkdirSync } from 'node:fs'
     mkdirSync(process.env.TMPDIR, { recursive: true })
     const { default: chromium, inflate } = await import('@sparticuz/chromium')
     await inflate(new URL('../bin/al2023.tar.br', import.meta.resolve('@sparticuz/chromium')).pathname)
     console.log(await chromium.executablePath())`,
    { TMPDIR: folder },
  )
  if (!existsSync(file)) return undefined
  const libraries = path.join(folder, 'al2023/lib')
  if (await canOpenPage(file)) return browserEnv(file)
  if (await canOpenPage(file, libraries)) return browserEnv(file, libraries)
  return undefined
}

function browserEnv(file, libraries) {
  console.log(`Browser: ${file}`)
  return { ATRIUM_CHROMIUM: file, ...(libraries && { ATRIUM_CHROMIUM_LIBRARIES: libraries }) }
}

async function canOpenPage(file, libraries) {
  const output = await runCode(
    `const { chromium } = await import('playwright-core')
     const browser = await chromium.launch({ executablePath: process.env.FILE, args: ['--no-sandbox'], timeout: 20000 })
     const page = await browser.newPage()
     await page.setContent('<p>opened</p>')
     console.log(await page.textContent('p', { timeout: 5000 }))
     await browser.close()`,
    { FILE: file, ...(libraries && { LD_LIBRARY_PATH: libraries }) },
  )
  return output === 'opened'
}

/** The last line printed by this code when run by the project's Node. */
async function runCode(code, env = {}) {
  const { text } = await run(node, ['--input-type=module', '--eval', code], {
    cwd: path.join(root, 'e2e'),
    env: { ...projectEnv, ...env },
    output: 'capture',
  })
  return text.trim().split('\n').at(-1) ?? ''
}
