import { beforeEach, expect, test, vi } from 'vitest'
import { read, readText, remove, removeAll, write, writeText } from './storage.ts'

function fakeStorage(refuses = false) {
  const stored: Record<string, string> = {}
  const methods = {
    getItem: (key: string) => stored[key] ?? null,
    setItem: (key: string, text: string) => {
      if (refuses) throw new Error('quota')
      stored[key] = text
    },
    removeItem: (key: string) => delete stored[key],
  }
  for (const [name, value] of Object.entries(methods))
    Object.defineProperty(stored, name, { value })
  return stored
}
let storage: Record<string, string>
beforeEach(() => {
  storage = fakeStorage()
  vi.stubGlobal('localStorage', storage)
})

test('the token is stored as plain text, other values as JSON', () => {
  write('idToken', 'a.b.c')
  write('totalCount', 7)
  expect(storage).toEqual({ idToken: 'a.b.c', totalCount: '7' })
  expect([read('idToken'), read('totalCount')]).toEqual(['a.b.c', 7])
})

test('an unreadable value is removed', () => {
  storage.totalCount = '{broken'
  expect(read('totalCount')).toBeUndefined()
  expect(storage).toEqual({})
})

test.each<[Parameters<typeof read>[0], unknown[], unknown[]]>([
  ['totalCount', [0, 7], ['7', null, [], {}]],
  ['platFormConfig', [[], [{ key: 'a', value: 'b' }]], [{}, null, [null], [{ key: 'a' }]]],
  ['opnePageFrequency', [{}, { '': ['a'] }], [[], { a: 'b' }, { a: [1] }]],
  ['fenliuInfo', [{ title: '', destinations: [] }], [{}, { title: '', destinations: [{}] }, 7]],
  ['pcOfferClosed', [true, false], ['true', 1]],
  ['newsVisitRecordings', [{}, { a: true }], [[], { a: 1 }]],
])('a value of the wrong type is removed: %s', (key, good, bad) => {
  for (const value of good) {
    storage[key] = JSON.stringify(value)
    expect(read(key)).toEqual(value)
  }
  for (const value of bad) {
    storage[key] = JSON.stringify(value)
    expect(read(key), JSON.stringify(value)).toBeUndefined()
    expect(storage).toEqual({})
  }
})

test('removeAll removes only keys with the prefix', () => {
  writeText('kept:a', '1')
  writeText('kept:b', '2')
  write('language', 'en')
  removeAll('kept:')
  expect(storage).toEqual({ language: 'en' })
})

test('values are kept in memory if the browser refuses storage', () => {
  vi.stubGlobal('localStorage', fakeStorage(true))
  write('idToken', 'a.b.c')
  expect(read('idToken')).toBe('a.b.c')
  remove('idToken')
  expect(readText('idToken')).toBeNull()
})
