import type {
  GuideText,
  ServiceContent,
  ServiceTexts,
} from '@atrium/contract/services/service-catalogue.operator'
import { serviceAddressIssue } from '#domains/services/services/address.ts'
import { readTransports } from '#domains/services/services/token-accept.ts'
import type { IssueKind } from '#platform/http/errors.ts'

export type Issues = Record<string, IssueKind>

/** Normalises texts for storage: trimmed, NFC, LF line ends. An exported file therefore reads back unchanged. */
export function normalizeTexts<T>(value: T): T {
  if (typeof value === 'string')
    return value.replaceAll(/\r\n?/g, '\n').trim().normalize('NFC') as T
  if (Array.isArray(value)) return value.map(normalizeTexts) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, normalizeTexts(part)]),
  ) as T
}

/** Issues for texts with control characters or bidirectional overrides. */
export function textIssues(value: unknown, path = ''): Issues {
  if (typeof value === 'string')
    return /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(value.replaceAll(/[\n\t]/g, ''))
      ? { [path]: 'format' }
      : {}
  if (typeof value !== 'object' || value === null) return {}
  return Object.assign(
    {},
    ...Object.entries(value).map(([name, part]) =>
      textIssues(part, path === '' ? name : `${path}.${name}`),
    ),
  )
}

export function serviceTextIssues(texts: ServiceTexts): Issues {
  const issues = textIssues(texts)
  for (const [index, tag] of texts.tags.entries())
    if (texts.tags.indexOf(tag) < index) issues[`tags.${index}`] ??= 'twice'
  return issues
}

/**
 * Issues of a service that can be found without the database.
 * @param allow ATRIUM_OUTBOUND_ALLOW
 */
export function serviceIssues(content: ServiceContent, allow: string | undefined): Issues {
  const issues = { ...textIssues(content), ...serviceTextIssues(content) }
  const address = serviceAddressIssue(content.serviceUrl, allow)
  if (address) issues.serviceUrl = address
  const { validFrom, validUntil, opening, miniProgram, tokenAccept } = content
  if (validFrom && validUntil && Date.parse(validFrom) >= Date.parse(validUntil))
    issues.validUntil = 'order'
  if (opening === 'miniProgram' && !miniProgram) issues.miniProgram = 'required'
  for (const [index, transport] of (tokenAccept ?? []).entries())
    if (readTransports([transport]).length === 0) issues[`tokenAccept.${index}.tokenKey`] = 'format'
  return issues
}

export const guideIssues = (guide: GuideText): Issues => textIssues(guide)
