/** Longest time in ms that a start waits for what may come before home; longer is not worth an empty screen. */
const patience = 2000

/** The result, or undefined if it fails or takes too long. */
export const inTime = <T>(answer: Promise<T>, milliseconds = patience): Promise<T | undefined> =>
  Promise.race([
    answer.catch(() => undefined),
    new Promise<undefined>((resolve) => setTimeout(resolve, milliseconds)),
  ])
