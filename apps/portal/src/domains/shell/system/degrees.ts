import { AddressError, type Parser } from '#shell/navigation/search.ts'

/** Parser for degrees in an address, from −`max` to `max`. */
export const degrees =
  (max: number): Parser<number> =>
  (value = '') => {
    const degrees = /^-?\d{1,3}(\.\d{1,15})?$/.test(value) ? Number(value) : Number.NaN
    if (!(Math.abs(degrees) <= max)) throw new AddressError('no place on earth')
    return degrees
  }
