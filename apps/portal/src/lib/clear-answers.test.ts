import { beforeEach, expect, test, vi } from 'vitest'

const stored = new Map<string, string>()
vi.stubGlobal('addEventListener', () => {})
vi.stubGlobal('document', { documentElement: {} })
vi.stubGlobal('navigator', { languages: ['zh'], userAgent: '', onLine: true })
vi.stubGlobal(
  'localStorage',
  new Proxy(
    {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, text: string) => void stored.set(key, text),
      removeItem: (key: string) => void stored.delete(key),
    },
    {
      ownKeys: () => [...stored.keys()],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    },
  ),
)
const { clearAnswers, clearStoredAnswers } = await import('./queries.ts')

const written = ['draft:7:mailbox.letter', 'writing:7:12', 'waiting:7:a']
const personal = ['tus::tus-成绩.wav-5000044::1', 'lastPageRoute', 'lastPageAt', 'totalCount']
const ofTheDevice = ['language', 'deviceId']

beforeEach(() => {
  stored.clear()
  for (const key of ['kept:searches', ...written, ...personal, ...ofTheDevice]) stored.set(key, '1')
})

test('a crash deletes stored answers, and nothing that the member has written', () => {
  clearStoredAnswers(new Error('a page crashed'))
  expect([...stored.keys()]).toEqual([...written, ...personal, ...ofTheDevice])
})

test('a change of account deletes everything of the previous member', () => {
  clearAnswers()
  expect([...stored.keys()]).toEqual(ofTheDevice)
})
