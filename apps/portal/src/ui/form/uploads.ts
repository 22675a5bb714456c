import { figures } from '@atrium/rules/figures'
import { useEffect, useState, useSyncExternalStore } from 'react'

/**
 * Sends one file. `onProgress` takes the share sent, 0 to 1. An upload in chunks calls `onChunk` after each one, which
 * restarts the timeout.
 */
export type Send<T> = (
  file: File,
  options: { signal: AbortSignal; onProgress: (share: number) => void; onChunk: () => void },
) => Promise<T>

/** Thrown if sending the file again would not help; the message is shown to the user. */
export class UploadRefused extends Error {}

export type Upload<T> = {
  id: number
  file: File
  state: 'waiting' | 'sending' | 'done' | 'failed'
  /** 0 to 1 */
  share: number
  /** `failed` only: exceeded the upload timeout. */
  timedOut: boolean
  /** `failed` only: why this file is never accepted; else empty. */
  refused: string
  /** `done` only: the server's answer. */
  result?: T
}

export type Uploads<T> = {
  list: () => readonly Upload<T>[]
  subscribe: (listener: () => void) => () => void
  /** Adds as many as there is room for; returns the number left out. */
  add: (files: readonly File[]) => number
  retry: (id: number) => void
  /** Removes it from the list and stops it if it is running. */
  remove: (id: number) => void
  /** Moves it by this many places, at most to either end. */
  move: (id: number, by: number) => void
  stop: () => void
  readonly max: number
  /** Sets the maximum, which may depend on other files of the form; listed files stay if it is lower. */
  setMax: (max: number) => void
}

/** More in parallel only slow each other down on a phone's network. */
const maxParallel = 3

/** Uploads files: three at a time, each with its own timeout. */
export function createUploads<T>(
  send: Send<T>,
  initialMax: number = figures.uploadMaxCount,
): Uploads<T> {
  let max = initialMax
  let list: readonly Upload<T>[] = []
  let lastId = 0
  const listeners = new Set<() => void>()
  const running = new Map<number, AbortController>()

  function change(next: readonly Upload<T>[]) {
    list = next
    for (const listener of listeners) listener()
  }
  const patch = (id: number, part: Partial<Upload<T>>) =>
    change(list.map((upload) => (upload.id === id ? { ...upload, ...part } : upload)))

  async function run({ id, file }: Upload<T>) {
    const controller = new AbortController()
    running.set(id, controller)
    patch(id, { state: 'sending', share: 0, timedOut: false, refused: '' })
    let timedOut = false
    const startTimer = () =>
      setTimeout(() => {
        timedOut = true
        controller.abort()
      }, figures.uploadTimeout)
    let timer = startTimer()
    try {
      const result = await send(file, {
        signal: controller.signal,
        onProgress: (share) => patch(id, { share: Math.min(1, Math.max(0, share)) }),
        onChunk() {
          clearTimeout(timer)
          if (!controller.signal.aborted) timer = startTimer()
        },
      })
      patch(id, { state: 'done', share: 1, result })
    } catch (error) {
      const refused = error instanceof UploadRefused ? error.message : ''
      patch(id, { state: 'failed', timedOut, refused })
    } finally {
      clearTimeout(timer)
      // A file removed and added again has another run.
      if (running.get(id) === controller) running.delete(id)
      next()
    }
  }
  function next() {
    for (const upload of list) {
      if (running.size >= maxParallel) return
      if (upload.state === 'waiting') void run(upload)
    }
  }
  return {
    get max() {
      return max
    },
    setMax(next) {
      max = next
    },
    list: () => list,
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    add(files) {
      const accepted = files.slice(0, Math.max(0, max - list.length))
      const added = accepted.map((file): Upload<T> => {
        lastId++
        return { id: lastId, file, state: 'waiting', share: 0, timedOut: false, refused: '' }
      })
      change([...list, ...added])
      next()
      return files.length - accepted.length
    },
    retry(id) {
      patch(id, { state: 'waiting', share: 0 })
      next()
    },
    remove(id) {
      running.get(id)?.abort()
      change(list.filter((upload) => upload.id !== id))
    },
    move(id, by) {
      const from = list.findIndex((upload) => upload.id === id)
      const moved = list[from]
      if (!moved) return
      const others = list.filter((upload) => upload !== moved)
      const to = Math.max(0, Math.min(others.length, from + by))
      change([...others.slice(0, to), moved, ...others.slice(to)])
    },
    stop() {
      for (const controller of running.values()) controller.abort()
      change([])
    },
  }
}

/** Uploads of the current page; leaving it stops them. @param send only that of the first render is used */
export function useUploads<T>(send: Send<T>, max: number = figures.uploadMaxCount) {
  const [uploads] = useState(() => createUploads(send, max))
  // During the render, because the list below it already shows the maximum.
  uploads.setMax(max)
  useEffect(() => () => uploads.stop(), [uploads])
  return { uploads, list: useSyncExternalStore(uploads.subscribe, uploads.list) }
}
