import type { PayCodes } from '@atrium/contract/member/e-card'

/** Codes for ten minutes, as stored on the device, and the difference of its clock from the server's. */
export type KeptCodes = PayCodes & { ahead: number }

/** The currently valid code; undefined if they have run out. `left`: seconds until the next one. */
export function codeAt({ codes, ahead }: KeptCodes, now: number) {
  const there = now - ahead
  const found = codes.find(
    ({ from, until }) => Date.parse(from) <= there && there < Date.parse(until),
  )
  return (
    found && {
      code: found.code,
      left: Math.ceil((Date.parse(found.until) - there) / 1000),
      /** seconds until the stored codes run out */
      lasts: Math.floor((Date.parse(codes[codes.length - 1]?.until ?? found.until) - there) / 1000),
    }
  )
}
