import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { figures } from '@atrium/rules/figures'
import { expect, test } from 'vitest'
import { screens } from './routes.ts'

const root = path.join(import.meta.dirname, '../../..')

/** All product sources, without tests and without the table of figures itself. */
const sources = ['apps/portal/src', 'apps/portal/gallery', 'apps/server/src', 'packages/rules/src']
  .flatMap((folder) => {
    const files = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    return files.map((file) => path.join(root, folder, file))
  })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|rules.src.figures\.ts$/.test(file))
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n')

const tokens = readFileSync(path.join(import.meta.dirname, 'ui/tokens.css'), 'utf8')
const token = (name: string) => new RegExp(`--${name}: ([^;]+);`).exec(tokens)?.[1]

// Read as text, since a build of the portal omits the schemas.
const favourites = readFileSync(
  path.join(root, 'packages/contract/src/member/favourites.ts'),
  'utf8',
)

/**
 * Figures repeated in a style sheet, the route map or the contract, which cannot import them: they are compared here.
 */
const writtenThere: Partial<Record<keyof typeof figures, () => void>> = {
  toastLayer: () => expect(token('layer-toast')).toBe(`${figures.toastLayer}`),
  overlayLayer: () => expect(token('layer-overlay')).toBe(`${figures.overlayLayer}`),
  overlayOpacity: () =>
    expect(token('overlay')).toBe(`rgb(0 0 0 / ${figures.overlayOpacity * 100}%)`),
  overlayDuration: () => expect(token('motion-overlay')).toBe(`${figures.overlayDuration}ms`),
  maxRpxWidth: () => expect(token('rpx')).toBe(`calc(min(100vw, ${figures.maxRpxWidth}px) / 750)`),
  tabs: () =>
    expect(Object.values(screens).filter((screen) => 'tab' in screen)).toHaveLength(figures.tabs),
  pageSize: () => expect(favourites).toContain(`default: ${figures.pageSize} }`),
}

test.each(Object.keys(figures) as (keyof typeof figures)[])(
  '%s is used in the code, or equals its copy in a style sheet, the routes or the contract',
  (name) => {
    const check = writtenThere[name]
    if (check) check()
    else
      expect(sources).toMatch(new RegExp(`figures\\.${name}\\b|\\b${name}\\b[^{}]*\\} = figures`))
  },
)
