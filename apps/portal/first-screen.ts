import type { Plugin } from 'vite'

/**
 * What index.html does to be quick: styles stand before the content they style but behind the splash, so that the splash is
 * painted without waiting for them, and the home screen, where most starts end, is fetched along with the shell.
 */
export function firstScreen(): Plugin {
  return {
    name: 'first-screen',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const home = Object.values(bundle ?? {}).find(
          (file) =>
            file.type === 'chunk' && file.facadeModuleId?.endsWith('areas/home/home-page.tsx'),
        )
        if (home?.type !== 'chunk') throw new Error('the home page has no chunk of its own')
        const preloads = [home.fileName, ...home.imports]
          .filter((file) => !html.includes(file))
          .map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`)
        const homeStyles = [...(home.viteMetadata?.importedCss ?? [])].filter(
          (file) => !html.includes(file),
        )
        const styles = [
          ...(html.match(/<link rel="stylesheet"[^>]*>/g) ?? []),
          ...homeStyles.map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`),
        ]
        return html
          .replace(/\s*<link rel="stylesheet"[^>]*>/g, '')
          .replace('</head>', `  ${preloads.join('\n    ')}\n  </head>`)
          .replace('</body>', `  ${styles.join('\n    ')}\n  </body>`)
      },
    },
  }
}
