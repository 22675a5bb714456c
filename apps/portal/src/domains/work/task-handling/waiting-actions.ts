import { type TaskAction, type TaskLine, tasks } from '@atrium/contract/work/tasks'
import { useSyncExternalStore } from 'react'
import { ApiError, call } from '#lib/api.ts'
import { refresh } from '#lib/queries.ts'
import { getSession, onSession } from '#lib/session.ts'
import { keysWith, readText, remove, waitingPrefix, writeText } from '#lib/storage.ts'
import { m } from '#paraglide/messages.js'
import { toast } from '#ui/feedback/toast.tsx'
import { actionName, type NamedAction } from './action-name.ts'
import type { Filled } from './handle-dialog.tsx'
import { changed } from './handling-queries.ts'

/** An action that is kept on the device until it can be sent. */
export type WaitingAction = {
  /** names it to the server, however often it is sent */
  key: string
  account: string
  at: number
  task: string
  title: string
  action: NamedAction
  filled: Filled
  /** what the server said when it refused it, in words */
  refusal?: string
}

/** On one device at most; further ones have to wait for the network before the button. */
const most = 100
const again = 30_000
let timer: ReturnType<typeof setTimeout> | undefined
let current = readAll()
const listeners = new Set<() => void>()

/** Each stands under a key of its own: tabs that write at the same moment take nothing from one another. */
const placeOf = (key: string) => `${waitingPrefix}${key}`
const put = (one: WaitingAction) => {
  writeText(placeOf(one.key), JSON.stringify(one))
  reread()
}
const drop = (key: string) => {
  remove(placeOf(key))
  reread()
}

function readOne(place: string): WaitingAction | undefined {
  try {
    const one = JSON.parse(readText(place) ?? '') as WaitingAction
    return typeof one.task === 'string' && typeof one.action.code === 'string' && one.filled
      ? one
      : undefined
  } catch {
    return undefined
  }
}

/** Those of whoever is signed in, first to last. */
function readAll(): readonly WaitingAction[] {
  const account = getSession()?.accountId
  return keysWith(waitingPrefix)
    .flatMap((place) => readOne(place) ?? [])
    .filter((one) => one.account === account)
    .sort((a, b) => a.at - b.at)
}

function reread() {
  current = readAll()
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
export const useWaitingActions = () => useSyncExternalStore(subscribe, () => current)
export const useWaitingAction = (task: string) =>
  useWaitingActions().find((one) => one.task === task)

/** Keeps what a member chose until there is a network. @returns whether it could */
export function keepAction(
  { id, title }: Pick<TaskLine, 'id' | 'title'>,
  { code, text, textEn }: TaskAction,
  key: string,
  filled: Filled,
): boolean {
  const account = getSession()?.accountId
  if (!account || current.length >= most) return false
  put({ key, account, at: Date.now(), task: id, title, action: { code, text, textEn }, filled })
  sendIn(again)
  return true
}

/** One tab at a time sends, and what is taken back is not being sent. */
const inOneTab = (work: () => Promise<void>): Promise<void> =>
  navigator.locks ? navigator.locks.request('atrium-waiting-actions', work) : work()

/** Takes an action back that was not sent, or puts away what was refused. */
export const takeBack = (key: string) =>
  inOneTab(async () => {
    const known = readOne(placeOf(key))
    if (!known) return toast(m.tasks_waiting_sent())
    drop(key)
    if (!known.refusal) toast(m.tasks_waiting_taken_back())
  })

/** Sends what waits, first to last, until nothing is left or there is no network. */
export const sendWaiting = () =>
  inOneTab(async () => {
    for (const { key } of readAll()) {
      // Another tab may have taken it back.
      const one = readOne(placeOf(key))
      if (one && !one.refusal && !(await sent(one))) return sendIn(again)
    }
  })

/** @returns whether the server answered */
async function sent(one: WaitingAction): Promise<boolean> {
  const { key, task, action, filled } = one
  try {
    await call(tasks.handle, {
      params: { id: task },
      body: { action: action.code, key, ...filled },
    })
    drop(key)
    toast(m.tasks_handled({ action: actionName(action) }))
  } catch (error) {
    if (!(error instanceof ApiError) || error.passing || error.status === 401) return false
    // Signed out meanwhile: it is nobody's any more.
    if (!readOne(placeOf(key))) return true
    put({ ...one, refusal: error.message })
  }
  refresh(...changed)
  return true
}

function sendIn(milliseconds: number) {
  clearTimeout(timer)
  timer = setTimeout(() => void sendWaiting(), milliseconds)
}

addEventListener('online', () => void sendWaiting())
addEventListener('storage', ({ key }) => {
  if (key !== null && !key.startsWith(waitingPrefix)) return
  reread()
  // Another tab has sent it, perhaps.
  refresh(...changed)
})
onSession(reread)
if (current.length > 0) void sendWaiting()
