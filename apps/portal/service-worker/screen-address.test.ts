import { isScreenAddress } from '@atrium/rules/screen-address'
import { expect, test, vi } from 'vitest'

vi.stubGlobal('location', { search: '', pathname: '/' })
const { screens } = await import('../src/routes.ts')

test.each(Object.keys(screens))('%s is a screen address, which opens offline', (path) => {
  expect(isScreenAddress(path)).toBe(true)
})

test.each([
  '/portal-api/v1/home',
  '/cas/login',
  '/token/login/verify',
  '/files/1',
  '/thumbor/unsafe/x',
  '/docs',
  '/console',
  '/simulator/',
  '/assets/a.js',
  '/metrics',
  '/pages/x.js',
])('%s is not a screen address and is left to the network', (path) => {
  expect(isScreenAddress(path)).toBe(false)
})
