import { beforeEach, expect, test, vi } from 'vitest'

const claims = {
  sub: 'student',
  exp: 4_000_000_000,
  ATTR_userName: '林知夏',
  ATTR_identityTypeCode: 'S01',
  ATTR_accountId: '7',
}
const tokenOf = (payload: object) =>
  `h.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.s`

const load = () => import('./session.ts')
// Compile the module once up front: on a busy machine that may take longer than a test's timeout.
vi.stubGlobal('addEventListener', () => {})
await load()

beforeEach(() => {
  vi.resetModules()
  vi.stubGlobal('addEventListener', () => {})
})

test('parses the claims of a token, including Chinese names', async () => {
  const { parseToken } = await load()
  expect(parseToken(tokenOf(claims))).toEqual({
    token: tokenOf(claims),
    username: 'student',
    name: '林知夏',
    identityTypeCode: 'S01',
    accountId: '7',
    expiresAt: 4_000_000_000_000,
  })
})

test.each(['', 'x', 'a.b.c', tokenOf({ sub: 'no expiry' })])(
  'parseToken returns null for %j',
  async (token) => {
    const { parseToken } = await load()
    expect(parseToken(token)).toBeNull()
  },
)

test('a session remains after its token has expired', async () => {
  const { getSession, setSession } = await load()
  expect(getSession()).toBeNull()
  setSession(tokenOf(claims))
  expect(getSession()?.username).toBe('student')
  setSession(tokenOf({ ...claims, exp: Date.now() / 1000 - 1 }))
  expect(getSession()?.username).toBe('student')
})

test('the lifetime of a token counts from its arrival, whatever the clock of the device', async () => {
  const { getSession, setSession } = await load()
  // Issued by a server whose clock is three hours behind this one.
  const iat = Math.floor(Date.now() / 1000) - 3 * 3600
  setSession(tokenOf({ ...claims, iat, exp: iat + 7200 }))
  const left = (getSession()?.expiresAt ?? 0) - Date.now()
  expect(left).toBeGreaterThan(7190_000)
  expect(left).toBeLessThanOrEqual(7200_000)
})

test('a renewed token is used at once, without notifying listeners', async () => {
  const { getSession, onSession, setSession, setRenewedToken } = await load()
  setSession(tokenOf(claims))
  const listener = vi.fn()
  onSession(listener)
  setRenewedToken(tokenOf({ ...claims, exp: 4_000_000_001 }))
  expect(getSession()?.token).toBe(tokenOf({ ...claims, exp: 4_000_000_001 }))
  expect(listener).not.toHaveBeenCalled()
})

test('a listener is notified of a session change until it unsubscribes', async () => {
  const { onSession, setSession } = await load()
  const listener = vi.fn()
  const stop = onSession(listener)
  setSession(tokenOf(claims))
  stop()
  setSession(null)
  expect(listener).toHaveBeenCalledTimes(1)
})

test('claims missing in a token are read from the stored data of the same account', async () => {
  const { getSession, setSession } = await load()
  const { read } = await import('./storage.ts')
  setSession(tokenOf({ ...claims, ATTR_organizationName: '计算机学院' }))
  expect(read('myInfo')).toMatchObject({
    userName: '林知夏',
    accountId: '7',
    identityTypeCode: 'S01',
    organizationName: '计算机学院',
  })
  const bare = { sub: 'student', exp: 4_000_000_000, ATTR_accountId: '7' }
  setSession(tokenOf(bare))
  expect(getSession()).toMatchObject({ name: '林知夏', identityTypeCode: 'S01' })
  setSession(tokenOf({ ...bare, ATTR_accountId: '8' }))
  expect(getSession()).toMatchObject({ name: '', identityTypeCode: '' })
  setSession(null)
  expect(read('myInfo')).toBeUndefined()
})
