import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { UntrustedAnswerError } from './external-identity.ts'
import { firstText, isValidName } from './rules.ts'

/** Result of a successful ticket validation. */
export type CasUser = { user: string; attributes: Record<string, unknown> }

const parser = new XMLParser({
  ignoreAttributes: true,
  removeNSPrefix: true,
  processEntities: false,
  parseTagValue: false,
  maxNestedTags: 20,
})

/** Parses XML. Rejects document types (entities) and comments, which could split a username. */
function readXml(text: string): Record<string, unknown> {
  if (/<!(?!\[CDATA\[)/.test(text))
    throw new UntrustedAnswerError('its XML contains a document type or a comment')
  if (XMLValidator.validate(text) !== true) throw new UntrustedAnswerError('its answer is not XML')
  try {
    return parser.parse(text) as Record<string, unknown>
  } catch {
    throw new UntrustedAnswerError('its answer is not XML')
  }
}

const namedEntities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
/** Decodes the predefined and numeric XML entities. */
const decodeEntities = (text: string) =>
  text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi,
    (whole, decimal, hex, name) => {
      if (name) return namedEntities[String(name).toLowerCase()] ?? whole
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
    },
  )

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Reads a `serviceValidate` response, as XML or JSON (CAS 3.0, 2.5 and 2.8). An attribute has one value or an array.
 * @throws UntrustedAnswerError
 */
export function readServiceResponse(text: string): CasUser {
  const json = /^\s*\{/.test(text)
  const root = json ? readJson(text) : readXml(text)
  const response = root.serviceResponse
  if (!isObject(response)) throw new UntrustedAnswerError('its answer is not a CAS response')
  const failure = response.authenticationFailure
  const success = response.authenticationSuccess
  if (failure !== undefined)
    throw new UntrustedAnswerError(
      `it refused the ticket: ${(isObject(failure) ? `${firstText(failure.code)} ${firstText(failure.description)}` : firstText(failure)).slice(0, 200)}`,
    )
  if (!isObject(success))
    throw new UntrustedAnswerError('its answer is neither success nor failure')
  const decode = json ? (value: string) => value : decodeEntities
  // Repeated user elements are parsed as an array and rejected.
  const user = typeof success.user === 'string' ? decode(success.user).trim() : ''
  if (!isValidName(user, 200)) throw new UntrustedAnswerError('its answer has no user')
  const attributes = isObject(success.attributes) ? success.attributes : {}
  return {
    user,
    attributes: Object.fromEntries(
      Object.entries(attributes).flatMap(([name, value]) => {
        const values = [value].flat().filter((one) => typeof one !== 'object')
        return values.length === 0 ? [] : [[name, values.map((one) => decode(String(one)))]]
      }),
    ),
  }
}

function readJson(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch {}
  throw new UntrustedAnswerError('its answer is not JSON')
}

/** The ticket named in a `logoutRequest` (CAS 3.0, appendix C). @throws UntrustedAnswerError */
export function readLogoutRequest(text: string): string {
  const request = readXml(text).LogoutRequest
  const ticket = isObject(request) ? request.SessionIndex : undefined
  if (typeof ticket !== 'string' || !isServiceTicket(decodeEntities(ticket).trim()))
    throw new UntrustedAnswerError('it contains no ticket')
  return decodeEntities(ticket).trim()
}

/** CAS 3.0, 3.1: begins with ST-; servers use letters, digits, dots, hyphens and underscores. */
export const isServiceTicket = (ticket: string) => /^ST-[\w.-]{1,253}$/.test(ticket)
