import { expect, test, vi } from 'vitest'
import { readRequest } from './frame-requests.ts'

vi.stubGlobal('location', { origin: 'https://m.example.edu.cn' })

const window = { name: 'the framed window' }
const origin = 'https://lib.example.edu.cn'
const frame = { window, origin }
const handle = (data: unknown, from: object = {}) =>
  readRequest({ source: window as never, origin, data, ...from }, frame)

test.each([
  [{ atrium: 'back' }, { do: 'back' }],
  [{ atrium: 'close', more: 'is not looked at' }, { do: 'close' }],
  [
    { atrium: 'setTitle', title: ' Opening hours ' },
    { do: 'setTitle', title: 'Opening hours' },
  ],
  [
    { atrium: 'setTitle', title: '馆\n藏\u202e查询' },
    { do: 'setTitle', title: '馆 藏 查询' },
  ],
  [
    { atrium: 'setTitle', title: '𠮷'.repeat(99) },
    { do: 'setTitle', title: '𠮷'.repeat(60) },
  ],
  [
    { atrium: 'openAddress', address: '/pagesA/news/detail?id=1' },
    { do: 'openAddress', address: '/pagesA/news/detail?id=1' },
  ],
  [
    { atrium: 'openAddress', address: 'pages/tab/my/my' },
    { do: 'openAddress', address: 'pages/tab/my/my' },
  ],
  [
    { atrium: 'openAddress', address: 'https://example.org' },
    { do: 'openAddress', address: 'https://example.org' },
  ],
])('%j is accepted', (data, request) => {
  expect(handle(data)).toEqual(request)
})

test.each([
  undefined,
  null,
  'close',
  '{"atrium":"close"}',
  7,
  [],
  ['close'],
  {},
  { atrium: 'Close' },
  { atrium: ['close'] },
  { atrium: 'constructor' },
  { atrium: 'logout' },
  { atrium: 'setTitle' },
  { atrium: 'setTitle', title: 7 },
  { atrium: 'setTitle', title: ' \u200b ' },
  { atrium: 'openAddress' },
  { atrium: 'openAddress', address: { href: '/' } },
  { atrium: 'openAddress', address: 'javascript:alert(1)' },
  { atrium: 'openAddress', address: 'data:text/html,x' },
  { atrium: 'openAddress', address: 'https://m.example.edu.cn@evil.com/' },
  { atrium: 'openAddress', address: `/${'a'.repeat(3000)}` },
])('%j is ignored', (data) => {
  expect(handle(data)).toBeUndefined()
})

test.each([
  ['another window', { source: { name: 'another' } }],
  ['no window', { source: null }],
  ['another origin, to which the frame has navigated', { origin: 'https://evil.com' }],
  ['an origin that starts with the allowed one', { origin: 'https://lib.example.edu.cn.evil.com' }],
  ['another port', { origin: 'https://lib.example.edu.cn:8443' }],
  ['a sandboxed page with origin null', { origin: 'null' }],
  ['the portal’s own origin', { origin: 'https://m.example.edu.cn' }],
])('a message from %s is ignored', (_, from) => {
  expect(handle({ atrium: 'close' }, from)).toBeUndefined()
})

test('a message is ignored once the frame is removed', () => {
  const gone = { window: null, origin }
  expect(readRequest({ source: null, origin, data: { atrium: 'close' } }, gone)).toBeUndefined()
})
