import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const stored = new Map<string, string>()
const tokenOf = (account: string) =>
  `x.${btoa(JSON.stringify({ exp: 4_000_000_000, ATTR_accountId: account }))}.x`
const unsubscribe = vi.fn(async () => true)
const register = vi.fn(async () => {})

let stop = () => {}
async function open() {
  const { serveNotifications } = await import('./notifications.ts')
  stop = serveNotifications()
}
const signIn = async (account: string) =>
  (await import('#lib/session.ts')).setSession(tokenOf(account))

vi.mock('./push-subscription.ts', () => ({ keepSubscription: register }))
vi.mock('#shell/navigation/navigation.ts', () => ({ openAddress: vi.fn() }))
vi.stubGlobal('addEventListener', () => {})
vi.stubGlobal('document', { documentElement: {} })
vi.stubGlobal('location', { search: '', pathname: '/', origin: 'https://portal.example' })
vi.stubGlobal('navigator', {
  languages: ['zh'],
  userAgent: '',
  serviceWorker: {
    addEventListener() {},
    removeEventListener() {},
    getRegistration: async () => ({
      getNotifications: async () => [],
      pushManager: { getSubscription: async () => ({ unsubscribe }) },
    }),
  },
})
vi.stubGlobal('localStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => stored.set(key, value),
  removeItem: (key: string) => stored.delete(key),
})

beforeEach(() => {
  vi.resetModules()
  vi.clearAllMocks()
  stored.clear()
  stored.set('expiredAccount', JSON.stringify('7'))
})
afterEach(() => stop())

test('the member of an expired session is subscribed again after signing in', async () => {
  await open()
  expect(register).not.toHaveBeenCalled()
  await signIn('7')
  await vi.waitFor(() => expect(stored.has('expiredAccount')).toBe(false))
  expect(register).toHaveBeenCalledTimes(1)
  expect(unsubscribe).not.toHaveBeenCalled()
})

test('also if the sign-in left the page', async () => {
  await signIn('7')
  await open()
  await vi.waitFor(() => expect(register).toHaveBeenCalledTimes(1))
})

test('another member does not inherit the subscription', async () => {
  await open()
  await signIn('8')
  await vi.waitFor(() => expect(stored.has('expiredAccount')).toBe(false))
  expect(unsubscribe).toHaveBeenCalledTimes(1)
  expect(register).not.toHaveBeenCalled()
})

test('a subscription that cannot be registered is tried again at the next start', async () => {
  register.mockRejectedValueOnce(new Error('offline'))
  await signIn('7')
  await open()
  await vi.waitFor(() => expect(register).toHaveBeenCalled())
  expect(stored.has('expiredAccount')).toBe(true)
})
