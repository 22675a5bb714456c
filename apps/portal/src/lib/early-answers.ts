/** What `early/early.ts` asked before the app was there: answers by address, and whose token they were asked with. */
export type EarlyAnswers = {
  token: string | null
  answers: Record<string, Promise<Response | undefined> | undefined>
  /** That token has run out: a fresh one is on its way. */
  renewal?: Promise<Response | undefined> | undefined
}

const started = globalThis as unknown as { earlyAnswers?: EarlyAnswers }
const early = started.earlyAnswers
// From now on the app asks itself, also where that script comes late.
started.earlyAnswers = { token: null, answers: {} }

/**
 * The early answer to this request, once, if it was asked in the same name and went well; what did not is asked again, in the
 * app's own way.
 */
export async function takeEarlyAnswer(
  address: string,
  token: string | null,
  isPublic: boolean,
  signal?: AbortSignal,
): Promise<Response | undefined> {
  const answer = early?.answers[address]
  if (!early || !answer) return undefined
  early.answers[address] = undefined
  if (!isPublic && early.token !== token) return undefined
  // The call's own time limit holds for it, too.
  const aborted = new Promise<never>((_, reject) =>
    signal?.addEventListener('abort', () => reject(new Error('aborted'))),
  )
  const response = await Promise.race([answer, aborted])
  return response?.ok ? response : undefined
}

/** The early answer to a renewal of this token, once. */
export function takeEarlyRenewal(token: string): Promise<Response | undefined> | undefined {
  if (early?.token !== token) return undefined
  const { renewal } = early
  early.renewal = undefined
  return renewal
}
