import { randomBytes } from 'node:crypto'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { escapeXml, type Outcome, type Success } from './answers.ts'

/**
 * Ticket validation in SAML 1.1 for old CAS clients: the request contains the ticket as an artifact in a SOAP envelope,
 * the response is an assertion. It is unsigned, because the client receives it directly from us over TLS.
 */
const parser = new XMLParser({
  ignoreAttributes: false,
  removeNSPrefix: true,
  processEntities: false,
  parseTagValue: false,
  parseAttributeValue: false,
  maxNestedTags: 20,
})

/** Undefined if it is not a request. Document types and comments are rejected. */
export function readSamlRequest(
  xml: string,
): { ticket: string; requestId: string | undefined } | undefined {
  if (/<!(?!\[CDATA\[)/.test(xml) || XMLValidator.validate(xml) !== true) return undefined
  try {
    const request = parser.parse(xml)?.Envelope?.Body?.Request
    const ticket: unknown = request?.AssertionArtifact
    const requestId: unknown = request?.['@_RequestID']
    if (typeof ticket !== 'string') return undefined
    return {
      ticket: ticket.trim(),
      requestId: isName(requestId) ? requestId : undefined,
    }
  } catch {
    return undefined
  }
}

/** Valid XML name of a request. */
const isName = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z_][\w.-]{0,200}$/.test(value)

type About = { issuer: string; recipient: string; requestId: string | undefined }

/** Validity of an assertion in seconds: it is read immediately, but clocks may differ. */
const assertedFor = 60

export function asSaml(outcome: Outcome, about: About): string {
  const now = new Date()
  const inResponseTo = about.requestId ? ` InResponseTo="${escapeXml(about.requestId)}"` : ''
  const inner =
    'success' in outcome
      ? `<saml1p:Status><saml1p:StatusCode Value="saml1p:Success"/></saml1p:Status>${assertion(outcome.success, about, now)}`
      : `<saml1p:Status><saml1p:StatusCode Value="saml1p:RequestDenied"/><saml1p:StatusMessage>${escapeXml(`${outcome.failure}: ${outcome.description}`)}</saml1p:StatusMessage></saml1p:Status>`
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    '<SOAP-ENV:Envelope xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/"><SOAP-ENV:Header/><SOAP-ENV:Body>' +
    `<saml1p:Response xmlns:saml1p="urn:oasis:names:tc:SAML:1.0:protocol"${inResponseTo} IssueInstant="${now.toISOString()}" MajorVersion="1" MinorVersion="1" Recipient="${escapeXml(about.recipient)}" ResponseID="${newId()}">` +
    `${inner}</saml1p:Response></SOAP-ENV:Body></SOAP-ENV:Envelope>\n`
  )
}

function assertion({ user, attributes }: Success, { issuer, recipient }: About, now: Date) {
  const until = new Date(now.getTime() + assertedFor * 1000)
  const since = new Date(now.getTime() - assertedFor * 1000)
  const shownAt = attributes.find(([name]) => name === 'authenticationDate')?.[1]
  const subject = `<saml1:Subject><saml1:NameIdentifier>${escapeXml(user)}</saml1:NameIdentifier><saml1:SubjectConfirmation><saml1:ConfirmationMethod>urn:oasis:names:tc:SAML:1.0:cm:artifact</saml1:ConfirmationMethod></saml1:SubjectConfirmation></saml1:Subject>`
  const told = attributes
    .map(([name, value]) => {
      const values = (typeof value === 'object' ? value : [value])
        .map(
          (one) =>
            `<saml1:AttributeValue xsi:type="xs:string">${escapeXml(String(one))}</saml1:AttributeValue>`,
        )
        .join('')
      return `<saml1:Attribute AttributeName="${name}" AttributeNamespace="http://www.ja-sig.org/products/cas/">${values}</saml1:Attribute>`
    })
    .join('')
  return (
    `<saml1:Assertion xmlns:saml1="urn:oasis:names:tc:SAML:1.0:assertion" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" AssertionID="${newId()}" IssueInstant="${now.toISOString()}" Issuer="${escapeXml(issuer)}" MajorVersion="1" MinorVersion="1">` +
    `<saml1:Conditions NotBefore="${since.toISOString()}" NotOnOrAfter="${until.toISOString()}"><saml1:AudienceRestrictionCondition><saml1:Audience>${escapeXml(recipient)}</saml1:Audience></saml1:AudienceRestrictionCondition></saml1:Conditions>` +
    `<saml1:AuthenticationStatement AuthenticationInstant="${escapeXml(String(shownAt))}" AuthenticationMethod="urn:oasis:names:tc:SAML:1.0:am:unspecified">${subject}</saml1:AuthenticationStatement>` +
    `<saml1:AttributeStatement>${subject}${told}</saml1:AttributeStatement></saml1:Assertion>`
  )
}

/** An XML ID must begin with a letter or an underscore. */
const newId = () => `_${randomBytes(16).toString('hex')}`
