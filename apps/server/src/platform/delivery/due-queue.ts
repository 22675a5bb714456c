import type { Logger } from 'pino'
import { logSetback } from '#platform/database/outage.ts'

/** At the latest after this long the queue is looked at again: another node may have left something behind. */
const restSeconds = 30

export type DueQueue = {
  /** Something is there now, or may be. */
  kick: () => void
  /** What is under way is finished first. */
  stop: () => Promise<void>
}

/**
 * Works off what waits in a table, batch by batch: at once when it is kicked, and again when the next of it falls due.
 * @param takeBatch takes what is due and deals with it. @returns how many it took
 * @param secondsToNext until the next falls due; nothing: none waits
 */
export function startDueQueue(
  log: Logger,
  {
    name,
    batch,
    takeBatch,
    secondsToNext,
  }: {
    /** for the log */
    name: string
    batch: number
    takeBatch: () => Promise<number>
    secondsToNext: () => Promise<number | null | undefined>
  },
): DueQueue {
  let stopping = false
  let running: Promise<void> | undefined
  let again = false
  let timer: NodeJS.Timeout | undefined

  async function run() {
    do {
      again = false
      while (!stopping) if ((await takeBatch()) < batch) break
    } while (again && !stopping)
  }
  function kick() {
    if (stopping) return
    again = true
    clearTimeout(timer)
    running ??= run()
      .catch((error) => logSetback(log, error, `${name} met an error and goes on`))
      .then(async () => {
        running = undefined
        if (stopping) return
        const next = (await secondsToNext().catch(() => undefined)) ?? restSeconds
        clearTimeout(timer)
        timer = setTimeout(kick, Math.min(Math.max(0.1, next), restSeconds) * 1000)
        timer.unref()
      })
  }
  kick()
  return {
    kick,
    async stop() {
      stopping = true
      clearTimeout(timer)
      await running
    },
  }
}
