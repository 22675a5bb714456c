/** The answers of the CAS protocol to a ticket that was shown, in its three forms. */

/** Why a ticket is not good, in the words of the protocol (2.5.3). */
export type Failure =
  | 'INVALID_REQUEST'
  | 'INVALID_TICKET_SPEC'
  | 'UNAUTHORIZED_SERVICE_PROXY'
  | 'INVALID_TICKET'
  | 'INVALID_SERVICE'
  | 'INTERNAL_ERROR'

export type Success = {
  user: string
  /** The three that the schema asks for come first, in its order; one value as it is, several as a list. */
  attributes: [name: string, value: string | boolean | readonly string[]][]
}
export type Outcome = { success: Success } | { failure: Failure; description: string }

export function asXml(outcome: Outcome): string {
  const inner = 'success' in outcome ? successXml(outcome.success) : failureXml(outcome)
  return `<cas:serviceResponse xmlns:cas="http://www.yale.edu/tp/cas">\n${inner}\n</cas:serviceResponse>\n`
}

/** The answer of `/proxy` (2.7): nobody gets a ticket to act for a member. */
export const proxyRefusal = `<cas:serviceResponse xmlns:cas="http://www.yale.edu/tp/cas">
  <cas:proxyFailure code="UNAUTHORIZED_SERVICE">Proxy tickets are not given to any service</cas:proxyFailure>
</cas:serviceResponse>
`

const successXml = ({ user, attributes }: Success) => `  <cas:authenticationSuccess>
    <cas:user>${escapeXml(user)}</cas:user>
    <cas:attributes>
${attributes
  .flatMap(([name, value]) =>
    (typeof value === 'object' ? value : [value]).map((one) => [name, one]),
  )
  .map(([name, value]) => `      <cas:${name}>${escapeXml(String(value))}</cas:${name}>`)
  .join('\n')}
    </cas:attributes>
  </cas:authenticationSuccess>`

const failureXml = ({ failure, description }: { failure: Failure; description: string }) =>
  `  <cas:authenticationFailure code="${failure}">${escapeXml(description)}</cas:authenticationFailure>`

export function asJson(outcome: Outcome): string {
  const answer =
    'success' in outcome
      ? {
          authenticationSuccess: {
            user: outcome.success.user,
            attributes: Object.fromEntries(outcome.success.attributes),
          },
        }
      : {
          authenticationFailure: { code: outcome.failure, description: outcome.description },
        }
  return `${JSON.stringify({ serviceResponse: answer })}\n`
}

/** CAS 1.0; the name of a user cannot hold a line break. */
export const asText = (outcome: Outcome): string =>
  'success' in outcome ? `yes\n${outcome.success.user}\n` : 'no\n\n'

/** Characters that XML 1.0 cannot hold at all are left out: an answer that cannot be read would keep everybody out. */
export function escapeXml(text: string): string {
  // Nearly every value is plain, and looking once costs less than nine replacements.
  if (/^[\w .:/@+-]*$/.test(text)) return text
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that XML cannot hold
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&apos;')
      .replaceAll('\r', '&#13;')
  )
}
