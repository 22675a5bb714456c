import { setImmediate } from 'node:timers/promises'
import { definePart } from '#platform/part.ts'
import type { Platform } from '#platform/platform.ts'
import { type Shown, spendTickets, type Told } from './queries.ts'

/** As many as one statement takes. */
const maxAtOnce = 100
/** A statement for few costs nearly what one for many does: a second one goes while the first is written for so many alone. */
const enoughForSecond = 50

type Waiting = {
  ticket: Shown
  resolve: (told: Told | null | undefined) => void
  reject: (error: unknown) => void
}
type Queue = { waiting: Waiting[]; underWay: number }
const queueOf = definePart<Queue>(() => ({ waiting: [], underWay: 0 }))

/**
 * Spends a ticket. Those shown while the database writes down others wait and go together: a lecture hall that signs in
 * costs a statement for many and not one for each.
 * @returns what may be told; null: its session has ended, or it was not good; nothing: it was used before
 */
export function spendTicket(platform: Platform, ticket: Shown): Promise<Told | null | undefined> {
  const queue = queueOf(platform)
  return new Promise((resolve, reject) => {
    queue.waiting.push({ ticket, resolve, reject })
    if (queue.underWay === 0 || (queue.underWay === 1 && queue.waiting.length >= enoughForSecond))
      void workOff(platform, queue)
  })
}

async function workOff(platform: Platform, queue: Queue) {
  queue.underWay += 1
  while (queue.waiting.length > 0) {
    // Those whose requests have arrived by now go along.
    await setImmediate()
    const batch = takeBatch(queue.waiting)
    if (batch.length === 0) continue
    try {
      await spend(platform, batch)
    } catch (error) {
      // One of them must not spoil it for the others.
      if (batch.length === 1) batch[0]?.reject(error)
      else await Promise.all(batch.map((one) => spend(platform, [one]).catch(one.reject)))
    }
  }
  queue.underWay -= 1
}

/** Of a ticket that was shown twice at the same time the second waits for the next batch, and finds it used. */
function takeBatch(waiting: Waiting[]): Waiting[] {
  const ids = new Set<string>()
  const batch: Waiting[] = []
  const later: Waiting[] = []
  for (const one of waiting.splice(0, waiting.length)) {
    const { id } = one.ticket
    if (batch.length < maxAtOnce && !ids.has(id)) batch.push(one)
    else later.push(one)
    ids.add(id)
  }
  waiting.push(...later)
  return batch
}

async function spend(platform: Platform, batch: Waiting[]) {
  const told = await spendTickets(
    platform.db,
    batch.map(({ ticket }) => ticket),
  )
  for (const { ticket, resolve } of batch) resolve(told.get(ticket.id))
}
