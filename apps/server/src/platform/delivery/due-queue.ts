import type { Logger } from 'pino'
import { logSetback } from '#platform/database/outage.ts'

/** At the latest after this long the queue is looked at again: another node may have left something behind. */
const restSeconds = 30
/** The longest pause between two batches: one that had to wait for a lock must not hold up the next for as long. */
const maxPauseMs = 1000

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
    pause,
  }: {
    /** for the log */
    name: string
    batch: number
    takeBatch: () => Promise<number>
    secondsToNext: () => Promise<number | null | undefined>
    /** how long to pause after a batch, as a share of the time it took: a long queue leaves the database to others meanwhile */
    pause?: () => Promise<number>
  },
): DueQueue {
  let stopping = false
  let running: Promise<void> | undefined
  let again = false
  let timer: NodeJS.Timeout | undefined
  let endPause = () => {}

  async function run() {
    do {
      again = false
      while (!stopping) {
        const started = performance.now()
        if ((await takeBatch()) < batch) break
        if (!pause) continue
        const took = performance.now() - started
        const share = await pause()
        if (share > 0 && !stopping) await rest(took * share)
      }
    } while (again && !stopping)
  }
  const rest = (ms: number) =>
    new Promise<void>((resolve) => {
      endPause = resolve
      setTimeout(resolve, Math.min(ms, maxPauseMs)).unref()
    })
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
      endPause()
      clearTimeout(timer)
      await running
    },
  }
}
