/** Whether `If-None-Match` contains this ETag. It may list several, and a compressing proxy marks them as weak. */
export const matchesEtag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch?.split(',').some((one) => one.trim().replace(/^W\//, '') === etag) ?? false
