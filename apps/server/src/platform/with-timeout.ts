/** Resolves to the promise's value, or to `otherwise` after a timeout. The work itself is not cancelled. */
export function withTimeout<A, B>(
  milliseconds: number,
  asked: Promise<A>,
  otherwise: B,
): Promise<A | B> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<B>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), milliseconds)
  })
  return Promise.race([asked, late]).finally(() => clearTimeout(timer))
}
