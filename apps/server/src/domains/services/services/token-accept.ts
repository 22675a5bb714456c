import type { TokenAccept } from '@atrium/contract/services/services'

export type TokenWay = TokenAccept[number]

const types = ['header', 'cookie', 'url', 'cas'] as const
/** Default for plain links: query parameter `token`. */
export const plainWay: TokenWay = { tokenType: 'url', tokenKey: 'token' }
/**
 * Whether a key may be used as header, cookie and query parameter; our own names and those of browsers are reserved.
 */
const isKey = (key: string) =>
  /^[a-z][\w.-]{0,59}$/i.test(key) && !/^atrium|^cookie$|^host$/i.test(key)

/** Reads configured token ways: invalid ones are omitted, missing values default to `plainWay`. */
export function readWays(given: unknown): TokenWay[] {
  if (!Array.isArray(given)) return []
  return given.flatMap((one: unknown): TokenWay[] => {
    if (typeof one !== 'object' || one === null) return []
    const { tokenType, tokenKey } = one as Record<string, unknown>
    const type = types.find((known) => known === (tokenType || plainWay.tokenType))
    const key = tokenKey || plainWay.tokenKey
    return type && typeof key === 'string' && isKey(key) ? [{ tokenType: type, tokenKey: key }] : []
  })
}
