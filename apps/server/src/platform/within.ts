/** What something answers, or `otherwise` where it has not answered after so many milliseconds. It goes on unheard. */
export function within<A, B>(
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
