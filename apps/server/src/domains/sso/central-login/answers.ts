/** Responses to CAS ticket validation, in the protocol's three formats. */

/** Error codes of the CAS protocol (2.5.3). */
export type Failure =
  | 'INVALID_REQUEST'
  | 'INVALID_TICKET_SPEC'
  | 'UNAUTHORIZED_SERVICE_PROXY'
  | 'INVALID_TICKET'
  | 'INVALID_SERVICE'
  | 'INTERNAL_ERROR'

export type Success = {
  user: string
  /** The three attributes required by the schema come first, in its order; a single value or a list. */
  attributes: [name: string, value: string | boolean | readonly string[]][]
}
export type Outcome = { success: Success } | { failure: Failure; description: string }

export function asXml(outcome: Outcome): string {
  const inner = 'success' in outcome ? successXml(outcome.success) : failureXml(outcome)
  return `<cas:serviceResponse xmlns:cas="http://www.yale.edu/tp/cas">\n${inner}\n</cas:serviceResponse>\n`
}

/** The response of `/proxy` (2.7): proxy tickets are not supported. */
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

/** CAS 1.0; usernames contain no line breaks. */
export const asText = (outcome: Outcome): string =>
  'success' in outcome ? `yes\n${outcome.success.user}\n` : 'no\n\n'

/** Escapes text for XML and drops characters that XML 1.0 cannot represent: an unparsable response locks users out. */
export function escapeXml(text: string): string {
  // Almost all values are plain, and this check is cheaper than nine replacements.
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
