import { beforeEach, expect, test, vi } from 'vitest'

const stored = new Map<string, string>()
const claims = { exp: 4_000_000_000, ATTR_accountId: '7' }
const token = `x.${btoa(JSON.stringify(claims))}.x`

beforeEach(() => {
  vi.resetModules()
  stored.clear()
  stored.set('idToken', token)
  const localStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => void stored.set(key, text),
    removeItem: (key: string) => void stored.delete(key),
  }
  vi.stubGlobal(
    'localStorage',
    new Proxy(localStorage, {
      ownKeys: () => [...stored.keys()],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    }),
  )
  vi.stubGlobal('addEventListener', () => {})
})
const load = () => import('./drafts.ts')

test('a draft is stored under the member’s account, and deleted together with its parts', async () => {
  const { readDraft, writeDraft, deleteDraft, hasDraft } = await load()
  writeDraft('mailbox.letter', { title: '路灯' })
  writeDraft('mailbox.letter#mailbox', '3')
  writeDraft('mailbox.letters', 'another one')
  expect(readDraft('mailbox.letter')).toEqual({ title: '路灯' })
  expect([...stored.keys()].filter((key) => key.startsWith('draft:7:'))).toHaveLength(3)
  deleteDraft('mailbox.letter')
  expect(readDraft('mailbox.letter')).toBeUndefined()
  expect(readDraft('mailbox.letter#mailbox')).toBeUndefined()
  expect(hasDraft('mailbox.letters')).toBe(true)
})

test('a draft expires after a month, and beyond 40 drafts the oldest are deleted', async () => {
  const { readDraft, writeDraft } = await load()
  const now = vi.spyOn(Date, 'now')
  now.mockReturnValue(0)
  writeDraft('old', 'x')
  now.mockReturnValue(31 * 24 * 3_600_000)
  expect(readDraft('old')).toBeUndefined()
  for (let at = 0; at < 45; at++) {
    now.mockReturnValue(40 * 24 * 3_600_000 + at)
    writeDraft(`form ${at}`, at)
  }
  expect(readDraft('form 0')).toBeUndefined()
  expect(readDraft('form 44')).toBe(44)
  expect([...stored.keys()].filter((key) => key.startsWith('draft:'))).toHaveLength(40)
})

test('a listener of a form is notified of its parts, and a listener of a part of its form', async () => {
  const { onDraft, writeDraft, deleteDraft } = await load()
  const events: string[] = []
  onDraft('a', (event) => events.push(`form ${event}`))
  onDraft('a#part', (event) => events.push(`part ${event}`))
  writeDraft('a#part', 1)
  writeDraft('ab', 1)
  deleteDraft('a', 'discarded')
  expect(events).toEqual(['form stored', 'part stored', 'form discarded', 'part discarded'])
})
