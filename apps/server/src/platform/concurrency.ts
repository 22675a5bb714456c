/**
 * Runs at most `max` tasks at the same time; up to `maxWaiting` more wait in order.
 * @param refuse called when the queue is full; throws
 */
export function limitConcurrency(max: number, maxWaiting: number, refuse: () => never) {
  let running = 0
  const waiting: (() => void)[] = []
  return async function run<T>(work: () => Promise<T>): Promise<T> {
    if (waiting.length >= maxWaiting) refuse()
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve))
    running++
    try {
      return await work()
    } finally {
      running--
      waiting.shift()?.()
    }
  }
}
