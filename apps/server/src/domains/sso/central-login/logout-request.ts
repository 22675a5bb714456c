import { randomBytes } from 'node:crypto'
import type { LogoutMessage } from '#domains/sso/registry/logout-worker.ts'
import { escapeXml } from './answers.ts'

/**
 * The logout message posted to a CAS client (CAS protocol 3.0, appendix C).
 * @param ticket the service ticket of its session: only the ticket proves that the unsigned message is ours
 */
export function logoutRequest(ticket: string): LogoutMessage {
  const id = `LR-${randomBytes(16).toString('hex')}`
  const xml =
    `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="${id}" Version="2.0" IssueInstant="${new Date().toISOString()}">` +
    '<saml:NameID xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">@NOT_USED@</saml:NameID>' +
    `<samlp:SessionIndex>${escapeXml(ticket)}</samlp:SessionIndex></samlp:LogoutRequest>`
  return {
    contentType: 'application/x-www-form-urlencoded',
    body: new URLSearchParams({ logoutRequest: xml }).toString(),
  }
}
