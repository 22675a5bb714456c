/** A request that `early/early.ts` made before the app had loaded. */
export type EarlyAnswer = {
  /** Resolves with the envelope's data; with undefined if the request failed. */
  answer: Promise<unknown>
  /** The same, once it has arrived, and when that was. */
  arrived?: { data: unknown; at: number } | undefined
}

/** The requests by address, and the token used for them. */
export type EarlyAnswers = {
  token: string | null
  answers: Record<string, EarlyAnswer | undefined>
  /** Set if that token has expired: the response to its renewal. */
  renewal?: Promise<Response | undefined> | undefined
}

const started = globalThis as unknown as { earlyAnswers?: EarlyAnswers }
let early = started.earlyAnswers
// From now on the app makes its own requests, even if that script runs late.
started.earlyAnswers = { token: null, answers: {} }

/** On the server: the answers by address that the next rendering uses. */
export function offerAnswers(answers: Readonly<Record<string, unknown>>, token: string | null) {
  const arrived = Object.entries(answers).map(([address, data]): [string, EarlyAnswer] => [
    address,
    { answer: Promise.resolve(data), arrived: { data, at: Date.now() } },
  ])
  early = { token, answers: Object.fromEntries(arrived) }
}

/** Resolves when every early request has been answered or has failed. */
export const earlyAnswersArrived = () =>
  Promise.all(Object.values(early?.answers ?? {}).map((request) => request?.answer))

/** The early request to this address, once, if it was made with the same token. */
function take(address: string, token: string | null, isPublic: boolean): EarlyAnswer | undefined {
  const found = early?.answers[address]
  if (!early || !found) return undefined
  early.answers[address] = undefined
  return isPublic || early.token === token ? found : undefined
}

/**
 * The data of an early request, once; undefined if there was none, or if it failed: then the app makes the request
 * itself.
 */
export async function takeEarlyAnswer(
  address: string,
  token: string | null,
  isPublic: boolean,
  signal?: AbortSignal,
): Promise<unknown> {
  const found = take(address, token, isPublic)
  if (!found) return undefined
  // The call's own time limit applies here too.
  const aborted = new Promise<never>((_, reject) =>
    signal?.addEventListener('abort', () => reject(new Error('aborted'))),
  )
  return Promise.race([found.answer, aborted])
}

/** The same without waiting: for a first rendering that shows at once what has already arrived. */
export function takeArrivedAnswer(address: string, token: string | null, isPublic: boolean) {
  if (!early?.answers[address]?.arrived) return undefined
  return take(address, token, isPublic)?.arrived
}

/** The early response to a renewal of this token, once. */
export function takeEarlyRenewal(token: string): Promise<Response | undefined> | undefined {
  if (early?.token !== token) return undefined
  const { renewal } = early
  early.renewal = undefined
  return renewal
}
