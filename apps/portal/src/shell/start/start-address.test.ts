import { beforeEach, expect, test, vi } from 'vitest'

/** Starts the app at an address; returns the credential and the address left. */
async function startAt(href: string) {
  const url = new URL(href, 'https://portal.example')
  const history = {
    state: null as unknown,
    replaceState(state: unknown, _: string, to?: string) {
      history.state = state
      if (to) url.href = new URL(to, url.origin).href
    },
  }
  vi.stubGlobal('history', history)
  vi.stubGlobal('location', url)
  vi.stubGlobal('addEventListener', () => {})
  const { takeCredential } = await import('./start-address.ts')
  return { credential: takeCredential(), left: url.pathname + url.search }
}
// Compile the module once up front: on a busy machine that may take longer than a test's timeout.
await startAt('/')

beforeEach(() => void vi.resetModules())

test.each([
  ['/pages/a?x=1', undefined, '/pages/a?x=1'],
  ['/pages/a?token=t', { kind: 'token', value: 't' }, '/pages/a'],
  ['/pages/a?x=1&idToken=t&y=2', { kind: 'token', value: 't' }, '/pages/a?x=1&y=2'],
  ['/pages/a?ticket=s&token=t', { kind: 'token', value: 't' }, '/pages/a'],
  ['/pages/a?ticket=s', { kind: 'ticket', value: 's' }, '/pages/a'],
  ['/pages/a?token=&x=1', undefined, '/pages/a?x=1'],
  ['/pages/a?mytoken=t', undefined, '/pages/a?mytoken=t'],
  ['/pages/a?token=1&token=2', { kind: 'token', value: '2' }, '/pages/a'],
])('takes the credential from %s', async (href, credential, left) => {
  const start = await startAt(href)
  expect(start.left).toBe(left)
  if (credential) expect(start.credential).toMatchObject(credential)
  else expect(start.credential).toBeUndefined()
})

test('the service address stays byte for byte, since the ticket is checked against it', async () => {
  const target = encodeURIComponent('/pagesA/news/news?a=图书 馆')
  const { credential } = await startAt(`/page/index/index?returnTarget=${target}&ticket=a.b.c`)
  expect(credential?.service).toBe(`https://portal.example/page/index/index?returnTarget=${target}`)
})
