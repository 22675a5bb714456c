import type { PayCodes } from '@atrium/contract/member/e-card'

/** What the device keeps: codes of ten minutes, and by how much its clock differs from the server's. */
export type KeptCodes = PayCodes & { ahead: number }

/** The code whose time it is; nothing where they have run out. `left`: seconds until the next. */
export function codeAt({ codes, ahead }: KeptCodes, now: number) {
  const there = now - ahead
  const found = codes.find(
    ({ from, until }) => Date.parse(from) <= there && there < Date.parse(until),
  )
  return (
    found && {
      code: found.code,
      left: Math.ceil((Date.parse(found.until) - there) / 1000),
      /** seconds for which the device has codes */
      lasts: Math.floor((Date.parse(codes[codes.length - 1]?.until ?? found.until) - there) / 1000),
    }
  )
}
