import { search } from '@atrium/contract/discovery/search'
import { useState } from 'react'
import { q, setAnswer } from '#lib/queries.ts'
import { read, remove, write } from '#lib/storage.ts'
import { useAction } from '#shell/page/action.ts'
import { useServerHistory } from './search-queries.ts'

const key = 'kept:searches'
const maxEntries = 12

/** The member's searches, newest first: on the server if the member wants them on all devices, else on this device. */
export function useHistory() {
  const server = useServerHistory()
  const isKept = server.data?.kept ?? false
  const [device, setDevice] = useState(() => read(key) ?? [])
  const answer = { done: (next: typeof server.data) => setAnswer(q(search.history), next) }
  const setKeeping = useAction(search.keepHistory, answer)
  const clear = useAction(search.clearHistory, answer)
  const toDevice = (list: string[]) => {
    if (list.length > 0) write(key, list)
    else remove(key)
    setDevice(list)
  }
  return {
    list: isKept ? (server.data?.list ?? []) : device,
    /** null for a visitor, or while unknown. */
    kept: server.data ? isKept : null,
    setKept: (next: boolean) => setKeeping.mutate({ body: { kept: next } }),
    remember(words: string) {
      // The server stores the searches it receives; only the cache is updated here.
      if (isKept)
        setAnswer(q(search.history), { kept: isKept, list: withFirst(words, server.data?.list) })
      else toDevice(withFirst(words, read(key)))
    },
    forget(words: string) {
      if (isKept) clear.mutate({ query: { keyWords: words } })
      else toDevice(device.filter((past) => past !== words))
    },
    clear() {
      if (isKept) clear.mutate({ query: {} })
      toDevice([])
    },
  }
}

const withFirst = (words: string, list: readonly string[] = []) =>
  [words, ...list.filter((past) => past !== words)].slice(0, maxEntries)
