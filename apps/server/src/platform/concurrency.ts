/**
 * Runs at most `max` pieces of work at the same time; the others wait in order, `maxWaiting` of them at most.
 * @param refuse what happens to one more: it throws
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
