import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type MemberActions, noActions } from '../../apps/server/demo/card-library.ts'

export type Request = {
  id: string
  kind: 'leave' | 'recheck' | 'repair'
  /** incremented with each change, as the portal requires */
  version: number
  username: string
  name: string
  /** the request's title, as the approver reads it */
  title: string
  titleEn: string
  form: { label: string; labelEn: string; value: string }[]
  status: 'open' | 'approved' | 'refused'
  comment: string
  at: string
  /** the course of a grade re-check */
  course?: string
}
/** A visitor of a member in their dormitory. */
export type Visitor = { id: string; username: string; name: string; on: string }

type State = {
  requests: Request[]
  visitors: Visitor[]
  /** holders of each limited item: `bus 0740`, `room A301 2026-11-26 14` */
  bookings: Record<string, string[]>
  /** ids of the portal's calls already processed */
  handled: string[]
  cardLibrary: MemberActions
}

const file = process.env.CAMPUS_FILE
export const state: State = {
  requests: [],
  visitors: [],
  bookings: {},
  handled: [],
  cardLibrary: structuredClone(noActions),
  ...read(),
}

function read(): Partial<State> {
  if (!file) return {}
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // The first start, or a truncated file: the demo starts afresh.
    return {}
  }
}

/** Stores the state. Without CAMPUS_FILE it lasts as long as the process. */
export function save() {
  if (!file) return
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, JSON.stringify(state))
  renameSync(`${file}.new`, file)
}

/** Books one of a limited number for a member, or cancels the booking. @returns whether one was available */
export function book(key: string, username: string, seats: number): boolean {
  const holders = state.bookings[key] ?? []
  if (holders.includes(username)) state.bookings[key] = holders.filter((one) => one !== username)
  else if (holders.length < seats) state.bookings[key] = [...holders, username]
  else return false
  save()
  return true
}
export const hasBooked = (key: string, username: string) =>
  state.bookings[key]?.includes(username) ?? false
export const remainingSeats = (key: string, seats: number) =>
  seats - (state.bookings[key]?.length ?? 0)
