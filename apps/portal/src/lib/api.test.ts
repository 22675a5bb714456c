import { expect, test, vi } from 'vitest'

vi.stubGlobal('document', { documentElement: {} })
vi.stubGlobal('navigator', { languages: [], userAgent: '' })
vi.stubGlobal('addEventListener', () => {})
const { buildUrl, ApiError } = await import('./api.ts')

test('buildUrl fills in path parameters and omits empty fields', () => {
  expect(
    buildUrl('/news/{id}', { id: 'a/b' }, { columnId: undefined, keyWords: '', pageNo: 1 }),
  ).toBe('/news/a%2Fb?pageNo=1')
  expect(buildUrl('/news')).toBe('/news')
})

test('isTransient is true for network errors, 429 and 5xx', () => {
  const passing = [0, 429, 500, 503].map((status) => new ApiError('x', status, '').isTransient)
  const lasting = [400, 401, 403, 404].map((status) => new ApiError('x', status, '').isTransient)
  expect([...passing, ...lasting]).toEqual([true, true, true, true, false, false, false, false])
})

test('English field issues start with a capital letter, Chinese ones are unchanged', () => {
  const { fields } = new ApiError('request.invalid', 400, 'Invalid', 'b2a1', {
    title: 'is required',
    newPassword: 'A password needs at least 8 characters.',
    url: 'https 地址不对',
    name: '必填',
  })
  expect(fields).toEqual({
    title: 'Is required',
    newPassword: 'A password needs at least 8 characters.',
    url: 'https 地址不对',
    name: '必填',
  })
})
