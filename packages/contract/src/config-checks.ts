import { type ConfigEntry, type ConfigKey, configKeys } from './config-keys.ts'
import { isOwnPath } from './own-path.ts'

/** Returns what is wrong with a value, as a sentence for an operator, or undefined if it is valid. */
export function configIssue(key: ConfigKey, value: string): string | undefined {
  const entry: ConfigEntry = configKeys[key]
  if (value.length > (entry.kind === 'html' ? 200_000 : 20_000)) return `${key} is too long`
  switch (entry.kind) {
    case 'choice':
      return entry.choices?.includes(value)
        ? undefined
        : `${key} must be one of ${entry.choices?.join(', ')}`
    case 'number':
    case 'numberOrEmpty':
      if (value === '' && entry.kind === 'numberOrEmpty') return undefined
      return /^[0-9]{1,9}$/.test(value) ? undefined : `${key} must be a whole number`
    case 'jsonArray':
    case 'jsonObject':
      return jsonIssue(key, value, entry.kind === 'jsonArray')
    case 'textArray':
    case 'textMap':
      return textsIssue(key, value, entry.kind === 'textArray')
    case 'route':
      return isOwnPath(value) ? undefined : `${key} must be an internal address that starts with /`
    case 'eventAddress':
      return value === 'own' ? undefined : addressIssue(key, value)
    case 'tileAddress':
      return value === '' || /^(?=.*\{z\})(?=.*\{x\}).*\{y\}/.test(value)
        ? addressIssue(key, value.replaceAll(/[{}]/g, ''))
        : `${key} must contain {z}, {x} and {y}, or be empty`
    case 'address':
      return isOwnPath(value) ? undefined : addressIssue(key, value)
    case 'base':
      return baseIssue(key, value)
    case 'hosts':
      return hostsIssue(key, value)
    case 'networks':
      return networksIssue(key, value)
    case 'zone':
      return isTimeZone(value) ? undefined : `${key} must be a time zone such as Asia/Shanghai`
    default:
      return undefined
  }
}

function jsonIssue(key: string, value: string, wantsArray: boolean) {
  try {
    const parsed: unknown = JSON.parse(value)
    if (typeof parsed === 'object' && parsed !== null && Array.isArray(parsed) === wantsArray)
      return undefined
  } catch {
    // falls through to the message below
  }
  return `${key} must be a JSON ${wantsArray ? 'array' : 'object'}`
}

function textsIssue(key: string, value: string, wantsArray: boolean) {
  const issue = jsonIssue(key, value, wantsArray)
  if (issue) return issue
  const hasOther = Object.values(JSON.parse(value)).some((part) => typeof part !== 'string')
  return hasOther ? `${key} must contain only texts` : undefined
}

function hostsIssue(key: string, value: string) {
  const issue = jsonIssue(key, value, true)
  if (issue) return issue
  const wrong = (JSON.parse(value) as unknown[]).find(
    (host) => typeof host !== 'string' || !/^[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/.test(host),
  )
  return wrong === undefined
    ? undefined
    : `${key} must contain host names in lower case such as img.example.edu; ${JSON.stringify(wrong)} is not one`
}

function networksIssue(key: string, value: string) {
  const issue = textsIssue(key, value, false)
  if (issue) return issue
  const wrong = Object.keys(JSON.parse(value)).find((network) => !isNetwork(network))
  return wrong === undefined
    ? undefined
    : `${key} must contain networks such as 10.20.0.0/16 or 2001:da8::/32; ${JSON.stringify(wrong)} is not one`
}

function isNetwork(network: string) {
  const [, address = '', bits = '0'] = /^([\d.]+|[\da-f:.]+)(?:\/(\d{1,3}))?$/i.exec(network) ?? []
  if (address.includes(':')) return URL.canParse(`http://[${address}]/`) && Number(bits) <= 128
  return (
    /^(\d{1,3}\.){3}\d{1,3}$/.test(address) &&
    address.split('.').every((part) => Number(part) <= 255) &&
    Number(bits) <= 32
  )
}

/** Checks the form of the address only; the server checks where it leads. */
function baseIssue(key: string, value: string) {
  if (value === '') return undefined
  const plain = /^https?:\/\/[^/\\]/i.test(value) && /^[\x21-\x7e]{1,500}$/.test(value)
  const url = plain && !/[\\?#*]/.test(value) && URL.canParse(value) ? new URL(value) : undefined
  return url && !url.username && !url.password
    ? undefined
    : `${key} must be a full http or https address without a username, a password, a ? or a #, or empty`
}

function addressIssue(key: string, value: string) {
  if (value === '') return undefined
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
    ? undefined
    : `${key} must be a full http or https address, or empty`
}

/** Caches valid zone names: a check costs as much as reading a page of rows, and every calendar view makes one. */
const timeZones = new Set<string>()

export function isTimeZone(zone: string) {
  if (timeZones.has(zone)) return true
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
  } catch {
    return false
  }
  // Zone names are case-insensitive, so one zone has many spellings; the limit bounds the cache.
  if (timeZones.size < 1000) timeZones.add(zone)
  return zone.length > 0
}
