import { figures } from '@atrium/rules/figures'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createUploads, type Send } from './uploads.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const files = (count: number) =>
  Array.from({ length: count }, (_, at) => new File(['x'], `${at + 1}.png`))
const settle = () => vi.advanceTimersByTimeAsync(0)

/** A server that answers when the test says so. */
function slowServer() {
  const sent = new Map<
    string,
    { answer: () => void; fail: () => void; onProgress: (s: number) => void }
  >()
  const send: Send<string> = (file, { signal, onProgress }) =>
    new Promise((resolve, reject) => {
      sent.set(file.name, {
        answer: () => resolve(`key of ${file.name}`),
        fail: () => reject(new Error('no')),
        onProgress,
      })
      signal.addEventListener('abort', () => reject(new Error('aborted')))
    })
  return { sent, send }
}
const states = (uploads: { list: () => readonly { state: string }[] }) =>
  uploads.list().map(({ state }) => state)

test('three files are uploaded at a time, and the next starts when one is done', async () => {
  const { sent, send } = slowServer()
  const uploads = createUploads(send)
  uploads.add(files(5))
  await settle()
  expect(states(uploads)).toEqual(['sending', 'sending', 'sending', 'waiting', 'waiting'])
  sent.get('2.png')?.answer()
  await settle()
  expect(states(uploads)).toEqual(['sending', 'done', 'sending', 'sending', 'waiting'])
  expect(uploads.list()[1]).toMatchObject({ share: 1, result: 'key of 2.png' })
})

test('files beyond the maximum number are left out and counted', async () => {
  const uploads = createUploads(slowServer().send)
  expect(uploads.add(files(50))).toBe(0)
  expect(uploads.add(files(4))).toBe(2)
  expect(uploads.list()).toHaveLength(figures.uploadMaxCount)
  const album = createUploads(slowServer().send, figures.albumMaxCount)
  expect(album.add(files(12))).toBe(3)
})

test('a changed maximum applies to the next files and removes none', () => {
  const uploads = createUploads(slowServer().send, 0)
  expect(uploads.add(files(1))).toBe(1)
  uploads.setMax(2)
  expect(uploads.max).toBe(2)
  expect(uploads.add(files(3))).toBe(1)
  uploads.setMax(1)
  expect(uploads.list()).toHaveLength(2)
  expect(uploads.add(files(1))).toBe(1)
})

test('the progress of an upload is reported and never exceeds 1', async () => {
  const { sent, send } = slowServer()
  const uploads = createUploads(send)
  uploads.add(files(1))
  await settle()
  sent.get('1.png')?.onProgress(0.4)
  expect(uploads.list()[0]?.share).toBe(0.4)
  sent.get('1.png')?.onProgress(7)
  expect(uploads.list()[0]?.share).toBe(1)
})

test('an upload fails after the timeout and can be retried', async () => {
  const { sent, send } = slowServer()
  const uploads = createUploads(send)
  uploads.add(files(1))
  await vi.advanceTimersByTimeAsync(figures.uploadTimeout - 1)
  expect(states(uploads)).toEqual(['sending'])
  await vi.advanceTimersByTimeAsync(1)
  expect(uploads.list()[0]).toMatchObject({ state: 'failed', timedOut: true })
  uploads.retry(1)
  await settle()
  sent.get('1.png')?.answer()
  await settle()
  expect(uploads.list()[0]).toMatchObject({ state: 'done', timedOut: false })
})

test('a failed upload does not affect the others', async () => {
  const { sent, send } = slowServer()
  const uploads = createUploads(send)
  uploads.add(files(2))
  await settle()
  sent.get('1.png')?.fail()
  await settle()
  expect(states(uploads)).toEqual(['failed', 'sending'])
  expect(uploads.list()[0]?.timedOut).toBe(false)
})

test('removing an upload lets the next one start', async () => {
  const { send } = slowServer()
  const uploads = createUploads(send)
  uploads.add(files(4))
  await settle()
  uploads.remove(1)
  await settle()
  expect(uploads.list().map(({ id, state }) => [id, state])).toEqual([
    [2, 'sending'],
    [3, 'sending'],
    [4, 'sending'],
  ])
})

test('stop aborts all running uploads and clears the list', async () => {
  const aborted: string[] = []
  const uploads = createUploads<void>(
    (file, { signal }) =>
      new Promise((_, reject) =>
        signal.addEventListener('abort', () => {
          aborted.push(file.name)
          reject(new Error('aborted'))
        }),
      ),
  )
  uploads.add(files(5))
  await settle()
  uploads.stop()
  await settle()
  expect(aborted).toEqual(['1.png', '2.png', '3.png'])
  expect(uploads.list()).toEqual([])
})
