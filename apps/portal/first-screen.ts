import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** Minimal runtime: the texts only need the language, which is the one in their options or the current one. */
export const textsRuntime = `
  export let getLocale
  export const overwriteGetLocale = (get) => { getLocale = (options) => options?.locale ?? get() }
  export const experimentalStaticLocale = undefined`

/**
 * Replaces a compiled text, which has three functions, by a single one that picks the language: the one in its options,
 * or the current one. Texts with plurals, or compiled in an unknown form, are left unchanged.
 */
export function shortenText(code: string) {
  const bare = code.replace(/\/\*[\s\S]*?\*\//g, '')
  const [, zh] = wordsOf('zh', bare) ?? []
  const [, en] = wordsOf('en', bare) ?? []
  const [, name] = /export const (\w+)/.exec(bare) ?? []
  if (!zh || !en || !name) return code
  const words = `(i, o) => getLocale(o) === 'en' ? ${en} : ${zh}`.replaceAll('i?.', 'i.')
  return `import { getLocale } from '../runtime.js'\nexport const ${name} = ${words}`
}
const wordsOf = (language: string, code: string) =>
  new RegExp(
    `const ${language}_\\w+ =\\s*\\(i?\\) => \\{\\s*return\\s*\\((\`[^\`]*\`)\\)\\s*\\};`,
  ).exec(code)

/**
 * Speeds up the first screen: short texts with a minimal runtime, an inlined icon, and style sheets after the splash,
 * so that the splash is painted without waiting for them. Scripts run after the styles in any case.
 */
export function firstScreen(): Plugin {
  return {
    name: 'first-screen',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      return /src\/paraglide\/runtime\.js$/.test(id)
        ? { code: textsRuntime, moduleType: 'js' }
        : null
    },
    transform: {
      filter: { id: /src\/paraglide\/messages\/\w+\.js$/ },
      handler: (code) => ({ code: shortenText(code), map: null }),
    },
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const icon = readFileSync(join(import.meta.dirname, 'public/icon.svg'), 'utf8').trim()
        const styles = html.match(/<link rel="stylesheet"[^>]*>/g) ?? []
        return html
          .replace('"/icon.svg"', `"data:image/svg+xml,${encodeURIComponent(icon)}"`)
          .replace(/\s*<link rel="stylesheet"[^>]*>/g, '')
          .replace('</body>', `  ${styles.join('\n    ')}\n  </body>`)
      },
    },
  }
}
