import { fetchExternal, type OutboundSettings } from '#platform/outbound/outbound.ts'

/** Why a source could not be read, as a sentence for operators. */
export class SourceError extends Error {}

/** Maximum size of an answer. */
const maxBytes = 20_000_000

/** Requests JSON from a source. @throws SourceError, OutboundError */
export async function requestJson(
  address: string,
  settings: OutboundSettings,
): Promise<{ body: unknown; headers: Record<string, string | string[] | undefined> }> {
  const answer = await fetchExternal(address, {
    maxBytes,
    seconds: 60,
    redirects: 'answer',
    confidential: true,
    ...settings,
  })
  const { host, pathname } = new URL(address)
  const text = answer.bytes.toString('utf8')
  if (answer.status !== 200 && answer.status !== 201)
    throw new SourceError(`${host}${pathname} answers ${answer.status}: ${text.slice(0, 200)}`)
  try {
    return { body: JSON.parse(text), headers: answer.headers }
  } catch {
    throw new SourceError(`${host}${pathname} does not answer with JSON.`)
  }
}
