/** Longest time in ms that a start waits for what may come before home; longer is not worth an empty screen. */
const defaultTimeout = 2000

/** The result, or undefined if it fails or takes too long. */
export const withTimeout = <T>(
  answer: Promise<T>,
  milliseconds = defaultTimeout,
): Promise<T | undefined> =>
  Promise.race([
    answer.catch(() => undefined),
    new Promise<undefined>((resolve) => setTimeout(resolve, milliseconds)),
  ])
