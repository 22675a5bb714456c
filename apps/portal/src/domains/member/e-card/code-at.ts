import type { PayCodes } from '@atrium/contract/member/e-card'

/** Codes for ten minutes, as stored on the device, and the difference of its clock from the server's. */
export type StoredCodes = PayCodes & { ahead: number }

/** The currently valid code; undefined if they have run out. `left`: seconds until the next one. */
export function codeAt({ codes, ahead }: StoredCodes, now: number) {
  const serverNow = now - ahead
  const current = codes.find(
    ({ from, until }) => Date.parse(from) <= serverNow && serverNow < Date.parse(until),
  )
  return (
    current && {
      code: current.code,
      left: Math.ceil((Date.parse(current.until) - serverNow) / 1000),
      /** seconds until the stored codes run out */
      lasts: Math.floor(
        (Date.parse(codes[codes.length - 1]?.until ?? current.until) - serverNow) / 1000,
      ),
    }
  )
}
