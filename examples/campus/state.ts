import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Kept, nothingKept } from '../../apps/server/demo/card-library.ts'

export type Request = {
  id: string
  kind: 'leave' | 'recheck' | 'repair'
  /** increases with each change, as the portal wants it */
  version: number
  username: string
  name: string
  /** what is asked for, as the approver reads it */
  title: string
  titleEn: string
  form: { label: string; labelEn: string; value: string }[]
  status: 'open' | 'approved' | 'refused'
  comment: string
  at: string
  /** the course of a re-check */
  course?: string
}
/** Somebody who comes to see a member in their dormitory. */
export type Visitor = { id: string; username: string; name: string; on: string }

type State = {
  requests: Request[]
  visitors: Visitor[]
  /** what each member has of each thing there is a limited number of: `bus 0740`, `room A301 2026-11-26 14` */
  bookings: Record<string, string[]>
  /** ids of calls of the portal that were dealt with */
  handled: string[]
  cardLibrary: Kept
}

const file = process.env.CAMPUS_FILE
export const state: State = {
  requests: [],
  visitors: [],
  bookings: {},
  handled: [],
  cardLibrary: structuredClone(nothingKept),
  ...read(),
}

function read(): Partial<State> {
  if (!file) return {}
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // The first start, or a file that was cut off: the demo begins anew.
    return {}
  }
}

/** Keeps what has changed. Without CAMPUS_FILE it lasts as long as the process. */
export function keep() {
  if (!file) return
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, JSON.stringify(state))
  renameSync(`${file}.new`, file)
}

/** Takes one of a limited number for a member, or gives it back. @returns whether there was one left */
export function book(what: string, username: string, seats: number): boolean {
  const taken = state.bookings[what] ?? []
  if (taken.includes(username)) state.bookings[what] = taken.filter((one) => one !== username)
  else if (taken.length < seats) state.bookings[what] = [...taken, username]
  else return false
  keep()
  return true
}
export const hasBooked = (what: string, username: string) =>
  state.bookings[what]?.includes(username) ?? false
export const leftOf = (what: string, seats: number) => seats - (state.bookings[what]?.length ?? 0)
