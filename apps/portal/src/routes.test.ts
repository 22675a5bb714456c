import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import type { Screen } from '#shell/navigation/screens.ts'

vi.stubGlobal('location', { search: '', pathname: '/', origin: 'https://portal.example' })
vi.stubGlobal('history', { state: { key: '', depth: 0 } })
vi.stubGlobal('addEventListener', () => {})
vi.stubGlobal('document', { documentElement: {} })
vi.stubGlobal('navigator', { languages: ['zh'], userAgent: '' })
const { isTab, registerScreens } = await import('#shell/navigation/screens.ts')
const { safeTarget } = await import('#shell/sign-in/sign-in.ts')
const screens = (await import('./routes.ts')).screens as Record<string, Screen>
registerScreens(screens)

type Specified = { path: string; access: Screen['access']; query: string[]; built?: true }
const here = (name: string) => path.join(import.meta.dirname, name)
const specified: Specified[] = JSON.parse(readFileSync(here('specified-screens.json'), 'utf8'))
const built = specified.filter(({ path }) => screens[path])

test('every route is declared in exactly one area', () => {
  const lines = import.meta.glob<Record<string, object>>(
    ['./routes/*.ts', './domains/*/*/routes.ts'],
    { eager: true },
  )
  const addresses = Object.values(lines).flatMap((file) =>
    Object.values(file).flatMap((map) => Object.keys(map)),
  )
  expect(addresses.toSorted()).toEqual(Object.keys(screens).toSorted())
})

test('a page that changes its own address stays mounted, so that the focus stays in its fields', () => {
  const pages = import.meta.glob<string>('./domains/*/*/*-page.tsx', {
    query: '?raw',
    import: 'default',
    eager: true,
  })
  const changing = Object.values(pages).flatMap((code) => {
    const [, path = ''] = /^const path = '([^']+)'/m.exec(code) ?? []
    return path && code.includes('redirect(path,') ? [path] : []
  })
  expect(changing.length).toBeGreaterThan(20)
  expect(changing.filter((path) => !isTab(path) && !screens[path]?.staysMounted)).toEqual([])
})

/** A screen that was once marked as built must not disappear. */
test(`${built.length} of the ${specified.length} specified screens exist`, () => {
  const marked = specified.filter((screen) => screen.built)
  expect(built.map(({ path }) => path)).toEqual(marked.map(({ path }) => path))
})

test.each(built)('$path has the access level of the specification', ({ path, access }) => {
  expect(screens[path]?.access).toBe(access)
})

test.each(built.filter(({ query }) => query.length > 0))(
  '$path keeps its query after login',
  ({ path, query }) => {
    // The ticket has already been removed from the address.
    const kept = query.filter((name) => name !== 'ticket')
    const href = `${path}?${kept.map((name) => `${name}=1`).join('&')}`
    expect(safeTarget(href)).toBe(href)
  },
)

/** Routes that keep their query after login: the table of the specification, shell 2. */
test.each([
  '/pagesA/news/news?columnCode=a&isHideReturnBtn=1&tab=2&data=x',
  '/pages/tab/service/index?isHideTabbar=1&isHideReturnBtn=1',
  '/pages/tab/schedule/schedule?isHideTabbar=1',
  '/pages/tab/my/my?isHideTabbar=1',
  '/pages/tab/index/index?isHideTabbar=1',
  '/pagesA/message/entry',
  '/pagesA/news/detail?id=1&columnId=2',
  '/pages/msgCenterTab/news/news?isHideTabbar=1&isactive=1',
  '/pages/msgCenterTab/newtask/newtask?isHideTabbar=1&isactive=1',
])('return address %s is kept unchanged', (href) => {
  expect(safeTarget(href)).toBe(href)
})

test.each([
  ['/pagesA/news/detail?id=1&token=x&idToken=y&ticket=z&evil=1#a', '/pagesA/news/detail?id=1'],
  ['/pages/nothing', '/pages/tab/index/index'],
  ['https://evil.com/pagesA/news/detail?id=1', '/pages/tab/index/index'],
  ['', '/pages/tab/index/index'],
])('return address %s becomes %s', (target, href) => {
  expect(safeTarget(target)).toBe(href)
})

/** Hostile return addresses, as interpreted by a browser. */
test.each([
  '//evil.com',
  '/\\evil.com',
  '\\\\evil.com',
  '///evil.com',
  '/\t/evil.com',
  'https:evil.com',
  'https://portal.example@evil.com/',
  'https://evil.com\\@portal.example/',
  'https://evil.com#@portal.example',
  'https://portal.example.evil.com/',
  'https://portal.example%2eevil.com/',
  'javascript:alert(1)',
  'data:text/html,x',
  '//evil.com/pages/tab/my/my',
  '/pages/tab/my/my/../../../../../evil.com',
  '/pages/tab/my/my@evil.com',
])('hostile return address %j leads to the home screen', (target) => {
  expect(new URL(safeTarget(target), 'https://portal.example').href).toBe(
    'https://portal.example/pages/tab/index/index',
  )
})
