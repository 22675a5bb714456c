import type { Plugin } from 'vite'

/** Library files that nothing here uses but that no bundler can leave out, and what is enough in their place. */
const enough: [file: RegExp, code: string][] = [
  // Routes of the router carry its link component along; ours is shell/link.tsx.
  [
    /@tanstack\/react-router\/dist\/esm\/link\.js$/,
    'export const Link = () => null, createLink = () => Link, linkOptions = (o) => o, useLinkProps = (o) => o',
  ],
  // The texts ask their runtime for the language and nothing else.
  [
    /src\/paraglide\/runtime\.js$/,
    'export let getLocale; export const overwriteGetLocale = (get) => { getLocale = get }; export const experimentalStaticLocale = undefined',
  ],
]

/**
 * What makes the first screen quick: library code it does without, and styles that stand behind the splash, so that the
 * splash is painted without waiting for them. Scripts run after the styles in any case.
 */
export function firstScreen(): Plugin {
  return {
    name: 'first-screen',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      const found = enough.find(([file]) => file.test(id))
      return found ? { code: found[1], moduleType: 'js' } : null
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
