import type { Logger } from 'pino'
import { logRecoverable } from '#platform/database/outage.ts'

/** Maximum time between two checks of the queue: another node may have left rows behind. */
const restSeconds = 30
/** Maximum pause between two batches: a batch slowed down by a lock must not delay the next one as long. */
const maxPauseMs = 1000

export type DueQueue = {
  /** Call when something may be due. */
  kick: () => void
  /** Finishes the current batch first. */
  stop: () => Promise<void>
}

/**
 * Processes the rows waiting in a table, batch by batch: immediately when kicked, and when the next row is due.
 * @param takeBatch claims and processes due rows; returns how many
 * @param secondsToNext seconds until the next row is due; nothing if none waits
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
    /** pause after a batch as a share of its duration, so that a long queue leaves the database to other work */
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
      .catch((error) => logRecoverable(log, error, `error in ${name}; it continues`))
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
