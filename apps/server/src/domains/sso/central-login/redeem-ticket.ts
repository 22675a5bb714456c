import { setImmediate } from 'node:timers/promises'
import { defineState } from '#platform/area-state.ts'
import type { Platform } from '#platform/platform.ts'
import { type PresentedTicket, redeemTickets, type TicketFacts } from './queries.ts'

/** Maximum number of tickets per statement. */
const maxAtOnce = 100
/** A statement for few tickets costs almost as much as for many: a second one needs this many waiting. */
const enoughForSecond = 50

type Waiting = {
  ticket: PresentedTicket
  resolve: (facts: TicketFacts | null | undefined) => void
  reject: (error: unknown) => void
}
type Queue = { waiting: Waiting[]; underWay: number }
const queueOf = defineState<Queue>(() => ({ waiting: [], underWay: 0 }))

/**
 * Redeems a ticket. Tickets that arrive while a statement runs wait and share the next one, so that a lecture hall
 * signing in at once costs few statements.
 * @returns the facts to release; null if the session has ended or the ticket is not good; undefined if it was used
 */
export function redeemTicket(
  platform: Platform,
  ticket: PresentedTicket,
): Promise<TicketFacts | null | undefined> {
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
    // Let requests that have already arrived join the batch.
    await setImmediate()
    const batch = takeBatch(queue.waiting)
    if (batch.length === 0) continue
    try {
      await redeem(platform, batch)
    } catch (error) {
      // Retry one by one, so that one bad ticket does not fail the others.
      if (batch.length === 1) batch[0]?.reject(error)
      else await Promise.all(batch.map((one) => redeem(platform, [one]).catch(one.reject)))
    }
  }
  queue.underWay -= 1
}

/** If a ticket is presented twice concurrently, the second waits for the next batch, which finds it used. */
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

async function redeem(platform: Platform, batch: Waiting[]) {
  const facts = await redeemTickets(
    platform.db,
    batch.map(({ ticket }) => ticket),
  )
  for (const { ticket, resolve } of batch) resolve(facts.get(ticket.id))
}
