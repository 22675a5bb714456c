/** Runs `work` when the browser is idle. @returns a function that cancels it */
export function whenIdle(work: () => void) {
  // Safari has no requestIdleCallback.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(work, 1000)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(work, { timeout: 3000 })
  return () => cancelIdleCallback(handle)
}

/** Whether the user asked for reduced data usage; false in browsers without the API. */
export const savesData = () =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
