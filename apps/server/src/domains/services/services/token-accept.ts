import type { TokenAccept } from '@atrium/contract/services/services'

export type TokenTransport = TokenAccept[number]

const types = ['header', 'cookie', 'url', 'cas'] as const
/** Default for plain links: query parameter `token`. */
export const defaultTransport: TokenTransport = { tokenType: 'url', tokenKey: 'token' }
/**
 * Whether a key may be used as header, cookie and query parameter; our own names and those of browsers are reserved.
 */
const isKey = (key: string) =>
  /^[a-z][\w.-]{0,59}$/i.test(key) && !/^atrium|^cookie$|^host$/i.test(key)

/** Reads configured token ways: invalid ones are omitted, missing values default to `defaultTransport`. */
export function readTransports(input: unknown): TokenTransport[] {
  if (!Array.isArray(input)) return []
  return input.flatMap((one: unknown): TokenTransport[] => {
    if (typeof one !== 'object' || one === null) return []
    const { tokenType, tokenKey } = one as Record<string, unknown>
    const type = types.find((name) => name === (tokenType || defaultTransport.tokenType))
    const key = tokenKey || defaultTransport.tokenKey
    return type && typeof key === 'string' && isKey(key) ? [{ tokenType: type, tokenKey: key }] : []
  })
}
