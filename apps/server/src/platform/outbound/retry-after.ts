/**
 * How long a site asks to wait, in seconds, by its Retry-After header: a number of seconds or a date in one of the
 * three formats of HTTP (RFC 9110 10.2.3, 5.6.7). 0 if the header is absent or invalid, or the date is past.
 */
export function retryAfterSeconds(header: string | undefined): number {
  const text = header?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text)
  // Date.parse accepts almost anything with a number; every HTTP date begins with the day of the week.
  if (!/^(mon|tue|wed|thu|fri|sat|sun)/i.test(text)) return 0
  // The format of asctime names no zone; it is GMT too.
  const at = Date.parse(/GMT$/i.test(text) ? text : `${text} GMT`)
  return Number.isNaN(at) ? 0 : Math.max(0, Math.ceil((at - Date.now()) / 1000))
}
