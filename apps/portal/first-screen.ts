import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** The texts ask their runtime for the language and nothing else: this is enough of it. */
const textsRuntime = `
  export let getLocale
  export const overwriteGetLocale = (get) => { getLocale = get }
  export const experimentalStaticLocale = undefined`

/**
 * A text as one function that picks its language, where it is compiled to three, one of them for a language of the caller's
 * choice, which only programs about the portal ask for. A text with plurals stays as it is, as would one compiled in a way
 * that is not known here.
 */
function shorten(code: string) {
  const bare = code.replace(/\/\*[\s\S]*?\*\//g, '')
  const [, zh] = wordsOf('zh', bare) ?? []
  const [, en] = wordsOf('en', bare) ?? []
  const [, name] = /export const (\w+)/.exec(bare) ?? []
  if (!zh || !en || !name) return code
  const words = `(i) => getLocale() === 'en' ? ${en} : ${zh}`.replaceAll('i?.', 'i.')
  return `import { getLocale } from '../runtime.js'\nexport const ${name} = ${words}`
}
const wordsOf = (language: string, code: string) =>
  new RegExp(
    `const ${language}_\\w+ =\\s*\\(i?\\) => \\{\\s*return\\s*\\((\`[^\`]*\`)\\)\\s*\\};`,
  ).exec(code)

/**
 * What makes the first screen quick: short texts on a short runtime, the icon without a request of its own, and styles that
 * stand behind the splash, so that it is painted without waiting for them. Scripts run after the styles in any case.
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
      handler: (code) => ({ code: shorten(code), map: null }),
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
