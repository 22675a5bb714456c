import type {
  GuideText,
  ServiceContent,
  ServiceTexts,
} from '@atrium/contract/services/service-catalogue.operator'
import { serviceAddressFault } from '#domains/services/services/address.ts'
import { readWays } from '#domains/services/services/token-accept.ts'
import type { FaultKind } from '#platform/http/errors.ts'

export type Faults = Record<string, FaultKind>

/** Texts as they are kept, so that a file they are written to reads back the same: trimmed, composed, with plain line ends. */
export function tidy<T>(value: T): T {
  if (typeof value === 'string')
    return value.replaceAll(/\r\n?/g, '\n').trim().normalize('NFC') as T
  if (Array.isArray(value)) return value.map(tidy) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, tidy(part)])) as T
}

/** Where texts hold what nobody typed: control characters, and those that turn the direction of what follows. */
export function textFaults(value: unknown, path = ''): Faults {
  if (typeof value === 'string')
    return /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(value.replaceAll(/[\n\t]/g, ''))
      ? { [path]: 'format' }
      : {}
  if (typeof value !== 'object' || value === null) return {}
  return Object.assign(
    {},
    ...Object.entries(value).map(([name, part]) =>
      textFaults(part, path === '' ? name : `${path}.${name}`),
    ),
  )
}

export function serviceTextFaults(texts: ServiceTexts): Faults {
  const faults = textFaults(texts)
  for (const [at, tag] of texts.tags.entries())
    if (texts.tags.indexOf(tag) < at) faults[`tags.${at}`] ??= 'twice'
  return faults
}

/**
 * What is wrong with a service, as far as it can be seen from itself.
 * @param allow ATRIUM_OUTBOUND_ALLOW
 */
export function serviceFaults(content: ServiceContent, allow: string | undefined): Faults {
  const faults = { ...textFaults(content), ...serviceTextFaults(content) }
  const address = serviceAddressFault(content.serviceUrl, allow)
  if (address) faults.serviceUrl = address
  const { validFrom, validUntil, opening, miniProgram, tokenAccept } = content
  if (validFrom && validUntil && Date.parse(validFrom) >= Date.parse(validUntil))
    faults.validUntil = 'order'
  if (opening === 'miniProgram' && !miniProgram) faults.miniProgram = 'required'
  for (const [at, way] of (tokenAccept ?? []).entries())
    if (readWays([way]).length === 0) faults[`tokenAccept.${at}.tokenKey`] = 'format'
  return faults
}

export const guideFaults = (guide: GuideText): Faults => textFaults(guide)
