import type { APIRequestContext } from '@playwright/test'

/** Allowed external addresses with the reason; tests do not request them. */
const allowedExternal: readonly (readonly [RegExp, string])[] = [
  [/^(tel|mailto|sms|weixin|geo):/, 'another app of the phone'],
  [/^(blob|data):/, 'made by the page itself'],
  [
    /^https:\/\/(uri\.amap\.com|apis\.map\.qq\.com|api\.map\.baidu\.com)\//,
    'the way to a place, in a map that members have',
  ],
  // The day of the week decides which course is opened first.
  [
    /^https:\/\/(scikit-learn\.org|github\.com\/mit-pdos)\//,
    'material of a course on the public web',
  ],
]

/**
 * Requests every address outside the portal's own screens that the portal links to.
 * @param elsewhere addresses, each with the page that links to it
 * @returns those that do not answer or are refused
 */
export async function deadEnds(
  request: APIRequestContext,
  { url, origin }: { url: string; origin: string },
  elsewhere: ReadonlyMap<string, string>,
  token: string | undefined,
) {
  const failures: string[] = []
  for (const [address, from] of elsewhere) {
    if (allowedExternal.some(([pattern]) => pattern.test(address))) continue
    const addressOrigin = new URL(address).origin
    if (addressOrigin !== url && addressOrigin !== origin) {
      failures.push(`${address} (from ${from}): nobody of the demo`)
      continue
    }
    const answer = await request.get(address, {
      maxRedirects: 0,
      headers: addressOrigin === url && token ? { 'x-id-token': token } : {},
    })
    if (answer.status() >= 400) failures.push(`${address} (from ${from}): ${answer.status()}`)
  }
  return failures
}
