/** A start waits this long for what may come before home and no longer: it is never worth an empty screen. */
const patience = 2000

/** The answer, or nothing when it fails or takes too long. */
export const inTime = <T>(answer: Promise<T>, milliseconds = patience): Promise<T | undefined> =>
  Promise.race([
    answer.catch(() => undefined),
    new Promise<undefined>((resolve) => setTimeout(resolve, milliseconds)),
  ])
