import { beforeEach, expect, test, vi } from 'vitest'

const notices = ['3', '2', '1'].map((id) => ({ id, title: `通知 ${id}`, titleEn: '' }))

/** Another start of the app on the same device. */
async function newSession() {
  vi.resetModules()
  return import('./operations.ts')
}
// Compile the module once up front: on a busy machine that may take longer than a test's timeout.
await newSession()

const stored = new Map<string, string>()
beforeEach(() => {
  stored.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
})

test('shows the newest notice until it is marked as seen, then none in this session', async () => {
  const { nextOperation, markAsSeen } = await newSession()
  expect(nextOperation(notices, '1')?.id).toBe('3')
  expect(nextOperation(notices, '1')?.id).toBe('3')
  markAsSeen('3')
  expect(nextOperation(notices, '1')).toBeUndefined()
})

test('each session shows the next unseen notice, until all are seen', async () => {
  for (const id of ['3', '2', '1']) {
    const { nextOperation, markAsSeen } = await newSession()
    expect(nextOperation(notices, '1')?.id).toBe(id)
    markAsSeen(id)
  }
  const { nextOperation } = await newSession()
  expect(nextOperation(notices, '1')).toBeUndefined()
})

test.each([
  ['0', 0],
  ['2', 2],
  [undefined, 1],
  ['', 1],
  ['many', 1],
  ['-1', 1],
])('with the limit set to %j a session shows %i notices', async (times, count) => {
  const { nextOperation, markAsSeen } = await newSession()
  let shown = 0
  for (let next = nextOperation(notices, times); next; next = nextOperation(notices, times)) {
    shown++
    markAsSeen(next.id)
  }
  expect(shown).toBe(count)
})

test('unreadable stored ids are removed', async () => {
  stored.set('readedIds', '{broken')
  const { nextOperation } = await newSession()
  expect(nextOperation(notices, '1')?.id).toBe('3')
  expect(stored.has('readedIds')).toBe(false)
})

test('only the newest 200 seen ids are kept', async () => {
  stored.set('readedIds', JSON.stringify(Array.from({ length: 300 }, (_, at) => `old ${at}`)))
  const { markAsSeen } = await newSession()
  markAsSeen('3')
  const kept = JSON.parse(stored.get('readedIds') ?? '[]')
  expect(kept).toHaveLength(200)
  expect(kept.at(-1)).toBe('3')
})
