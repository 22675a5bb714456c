import type { TokenAccept } from '@atrium/contract/services/services'

export type TokenWay = TokenAccept[number]

const types = ['header', 'cookie', 'url', 'cas'] as const
/** A plain link's token: in the address, as `token`. */
export const plainWay: TokenWay = { tokenType: 'url', tokenKey: 'token' }
/** A name that a header, a cookie and a field of an address may have; ours and those of the browser are nobody else's. */
const isKey = (key: string) =>
  /^[a-z][\w.-]{0,59}$/i.test(key) && !/^atrium|^cookie$|^host$/i.test(key)

/** Ways as an operator wrote them: what is none is left out, what is not said is as for a plain link. */
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
