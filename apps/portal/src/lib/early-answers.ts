/** Requests that `early/early.ts` made before the app had loaded: responses by address, and the token used for them. */
export type EarlyAnswers = {
  token: string | null
  answers: Record<string, Promise<Response | undefined> | undefined>
  /** Set if that token has expired: the response to its renewal. */
  renewal?: Promise<Response | undefined> | undefined
}

const started = globalThis as unknown as { earlyAnswers?: EarlyAnswers }
const early = started.earlyAnswers
// From now on the app makes its own requests, even if that script runs late.
started.earlyAnswers = { token: null, answers: {} }

/**
 * The early response to this request, once, if it was made with the same token and succeeded; after a failure the app
 * makes the request itself.
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
  // The call's own time limit applies here too.
  const aborted = new Promise<never>((_, reject) =>
    signal?.addEventListener('abort', () => reject(new Error('aborted'))),
  )
  const response = await Promise.race([answer, aborted])
  return response?.ok ? response : undefined
}

/** The early response to a renewal of this token, once. */
export function takeEarlyRenewal(token: string): Promise<Response | undefined> | undefined {
  if (early?.token !== token) return undefined
  const { renewal } = early
  early.renewal = undefined
  return renewal
}
