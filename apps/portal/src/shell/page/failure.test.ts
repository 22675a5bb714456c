import { expect, test, vi } from 'vitest'

vi.stubGlobal('document', { documentElement: {} })
const navigator = { languages: ['zh'], userAgent: '', onLine: true }
vi.stubGlobal('navigator', navigator)
vi.stubGlobal('addEventListener', () => {})
const { ApiError } = await import('#lib/api.ts')
const { isChunkLoadFailure } = await import('#lib/queries.ts')
const { ChunkLoadError } = await import('#shell/navigation/page-code.ts')
const { failureText, isOffline, logFailure, supportCode } = await import('./failure.ts')

const broken = (message: string, stack: string) =>
  Object.assign(new TypeError(message), { stack: `TypeError: ${message}\n    ${stack}` })
const place = 'at Home (https://a.example/assets/home-Ab12.js:1:4432)'

test('an error in the app has a short support code, the same on every host', () => {
  const code = supportCode(broken('x is undefined', place))
  expect(code).toMatch(/^[0-9A-Z]{7}$/)
  const others = [
    broken('x is undefined', place),
    broken('x is undefined', place.replace('a.example', 'b.example:8443')),
    broken('x is undefined', 'render@https://a.example/assets/home-Ab12.js:1:4432'),
  ]
  expect(others.map(supportCode)).toEqual([code, code, code])
  expect(supportCode(broken('y is undefined', place))).not.toBe(code)
  expect(supportCode(broken('x is undefined', place.replace('4432', '9')))).not.toBe(code)
  expect(supportCode('thrown as a text')).toMatch(/^[0-9A-Z]{7}$/)
})

test('the support code of a failed call is its request id or error code, and empty if offline', () => {
  expect(supportCode(new ApiError('server.failed', 500, 'Failed', 'b2a1'))).toBe('b2a1')
  expect(supportCode(new ApiError('news.not_found', 404, 'Gone'))).toBe('news.not_found')
  expect(supportCode(new ApiError('network', 0, 'No network'))).toBe('')
})

test('a chunk load error is distinguished from an error in the app', () => {
  const late = new ChunkLoadError('timeout')
  expect(supportCode(late)).toBe('page code: timeout')
  expect(failureText(late)).toBe('页面没有加载成功，请重试。')
  expect(isChunkLoadFailure(late)).toBe(true)
  expect(isChunkLoadFailure(broken('x is undefined', place))).toBe(false)
})

test('the user sees a readable message, and the console gets the support code and the error', () => {
  const error = broken('x is undefined', place)
  expect(failureText(error)).not.toContain('undefined')
  const missing = new TypeError('Failed to fetch dynamically imported module: /assets/a.js')
  expect(failureText(missing)).not.toMatch(/网络/)
  expect(failureText(new ApiError('server.failed', 500, '服务暂不可用'))).toBe('服务暂不可用')
  const written = vi.spyOn(console, 'error').mockImplementation(() => {})
  logFailure(error)
  expect(written).toHaveBeenCalledWith(expect.stringContaining(supportCode(error)), error)
  written.mockRestore()
})

test('a failure is attributed to the network only if it could not be reached', () => {
  const script = new TypeError('Failed to fetch dynamically imported module: /assets/a.js')
  const blamed = (error: unknown) => [isOffline(error), /网络/.test(failureText(error))]
  for (const type of ['missing', 'failed', 'timeout'] as const)
    expect(blamed(new ChunkLoadError(type))).toEqual([false, false])
  expect(blamed(script)).toEqual([false, false])
  expect(blamed(new ChunkLoadError('error'))).toEqual([true, true])
  navigator.onLine = false
  expect(blamed(new ChunkLoadError('timeout'))).toEqual([true, true])
  expect(blamed(script)).toEqual([true, true])
  navigator.onLine = true
})
