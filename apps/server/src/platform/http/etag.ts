/**
 * Whether a caller has this answer already (`If-None-Match`): it may name several, and a proxy that compressed one has
 * marked it as weak.
 */
export const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch?.split(',').some((one) => one.trim().replace(/^W\//, '') === etag) ?? false
