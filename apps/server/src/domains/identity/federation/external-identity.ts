import { Refusal } from '#platform/http/errors.ts'
import { fetchExternal, OutboundError } from '#platform/outbound/outbound.ts'
import type { Platform } from '#platform/platform.ts'

/** The identity confirmed by a provider. */
export type ExternalIdentity = {
  subject: string
  display: string
  /** matching username in this portal; empty if operators do not trust the provider for it */
  username: string
  /** the provider's session identifier: a CAS ticket, or sid */
  session?: string | undefined
}

/** Why a provider's answer is not trusted, as a sentence for the log; people see only that it did not confirm them. */
export class UntrustedAnswerError extends Error {}

/** Timeout in seconds; short, as somebody waits in front of a blank page. */
const timeoutSeconds = 6

/** Sends a request to a provider. Redirects are not followed, because the request may contain a secret. */
export async function requestProvider(
  platform: Platform,
  address: string,
  settings: {
    method?: 'GET' | 'POST'
    headers?: Record<string, string>
    body?: string
    maxBytes?: number
  } = {},
) {
  return fetchExternal(address, {
    allow: platform.env.ATRIUM_OUTBOUND_ALLOW,
    seconds: timeoutSeconds,
    redirects: 0,
    maxBytes: 500_000,
    ...settings,
  })
}

/** As `requestProvider`, for a JSON answer with status 200. */
export async function requestProviderJson<T>(
  platform: Platform,
  address: string,
  settings: Parameters<typeof requestProvider>[2] = {},
): Promise<T> {
  const { status, bytes } = await requestProvider(platform, address, {
    maxBytes: 100_000,
    ...settings,
  })
  if (status !== 200) throw new OutboundError(`it answered with the status ${status}`)
  try {
    return JSON.parse(bytes.toString('utf8')) as T
  } catch {
    throw new OutboundError('its answer is not JSON')
  }
}

/** Redacts secrets in addresses and messages; a CAS server repeats the ticket it refuses. */
export const redactSecrets = (text: string) =>
  text
    .replaceAll(
      /\b(secret|corpsecret|access_token|js_code|code|ticket|client_secret)=[^&\s]+/g,
      '$1=(hidden)',
    )
    .replaceAll(/\bST-[\w.-]+/g, '(hidden)')

/** Converts a provider error to a user-facing refusal and logs the details. */
export function toRefusal(platform: Platform, provider: string, error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const issue = causeOf(error)
  const reason = redactSecrets(
    issue?.message ?? (error instanceof Error ? error.message : String(error)),
  )
  const isUnreachable = issue instanceof OutboundError
  platform.log.warn(
    { provider, reason },
    isUnreachable
      ? 'an external login cannot be reached'
      : 'the answer of an external login was rejected',
  )
  return new Refusal(isUnreachable ? 'federation.unavailable' : 'federation.refused')
}

/** Unwraps errors that libraries nest in `cause`. */
function causeOf(error: unknown): Error | undefined {
  for (
    let current = error, depth = 0;
    current instanceof Error && depth < 6;
    current = current.cause, depth++
  )
    if (current instanceof OutboundError || current instanceof UntrustedAnswerError) return current
  return undefined
}
