import type { Plugin } from 'vite'

/** The texts ask their runtime for the language and nothing else: this is enough of it. */
const textsRuntime = `
  export let getLocale
  export const overwriteGetLocale = (get) => { getLocale = get }
  export const experimentalStaticLocale = undefined`

/**
 * What makes the first screen quick: a short runtime for the texts, and styles that stand behind the splash, so that it is
 * painted without waiting for them. Scripts run after the styles in any case.
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
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const styles = html.match(/<link rel="stylesheet"[^>]*>/g) ?? []
        return html
          .replace(/\s*<link rel="stylesheet"[^>]*>/g, '')
          .replace('</body>', `  ${styles.join('\n    ')}\n  </body>`)
      },
    },
  }
}
