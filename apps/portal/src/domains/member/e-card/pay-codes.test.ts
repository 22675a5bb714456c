import { beforeEach, expect, test, vi } from 'vitest'

const stored = new Map<string, string>()
vi.stubGlobal('document', { documentElement: {}, visibilityState: 'visible' })
vi.stubGlobal('navigator', { languages: ['zh'], userAgent: '' })
vi.stubGlobal('addEventListener', () => {})
vi.stubGlobal('localStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, text: string) => void stored.set(key, text),
  removeItem: (key: string) => void stored.delete(key),
})
/** The server's answer, sent when the test says so. */
let answer: (status: number, body: object) => void = () => {}
vi.stubGlobal(
  'fetch',
  () =>
    new Promise<Response>((resolve) => {
      answer = (status, body) => resolve(Response.json(body, { status }))
    }),
)
const { setSession } = await import('#lib/session.ts')
const { storePayCodes } = await import('./pay-codes.ts')

const signIn = (account: string) =>
  setSession(`h.${btoa(JSON.stringify({ exp: 4_000_000_000, ATTR_accountId: account }))}.s`)
const data = { now: '2026-09-01T08:00:00.000Z', codes: [], mayPay: true }
const isStored = () => stored.has('kept:payCodes')

/** Asks for codes; the server answers after `meanwhile`. */
async function storeCodes(meanwhile: () => void, status: number, body: object) {
  answer = () => {}
  const idle = answer
  const storing = storePayCodes()
  await vi.waitFor(() => expect(answer).not.toBe(idle))
  meanwhile()
  answer(status, body)
  await storing
}

beforeEach(() => {
  stored.clear()
  signIn('7')
})

test('codes are stored for the member who asked for them', async () => {
  await storeCodes(() => {}, 200, { code: 0, data })
  expect(isStored()).toBe(true)
})

test('codes that arrive after sign-out or for another member are discarded', async () => {
  await storeCodes(() => setSession(null), 200, { code: 0, data })
  expect(isStored()).toBe(false)
  signIn('7')
  await storeCodes(() => signIn('8'), 200, { code: 0, data })
  expect(isStored()).toBe(false)
})

test('a refusal deletes only the codes of the member who asked', async () => {
  const frozen = { code: 409, error: 'ecard.frozen', message: '', requestId: '' }
  stored.set('kept:payCodes', '{}')
  await storeCodes(() => signIn('8'), 409, frozen)
  expect(isStored()).toBe(true)
  await storeCodes(() => {}, 409, frozen)
  expect(isStored()).toBe(false)
})
