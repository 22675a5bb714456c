import type { EventRecord } from '@atrium/contract/member/events'
import { fetchOutside } from '#platform/outbound/outbound.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { lockWaiting, updateForwarding } from './queries.ts'

const batch = 100

/** Whether `eventUrl` names a collector of the institution; otherwise events stay here, or are not recorded. */
export const isOutside = (eventUrl: string) => /^https?:/.test(eventUrl)

/**
 * Passes on what waits, oldest first, until nothing is left. What the collector cannot be told now waits for the next run;
 * a record that it refuses by itself is marked so, and does not hold up the others. One may arrive twice when an answer is
 * lost: its eventId says so.
 * @throws OutboundError, or a sentence, when the collector is out of reach
 */
export async function forwardEvents(platform: Platform): Promise<void> {
  const { eventUrl, timeZone } = await currentSettings(platform)
  if (!isOutside(eventUrl)) return
  for (let count = batch; count === batch; ) {
    count = await platform.db.transaction().execute(async (db) => {
      const waiting = await lockWaiting(db, timeZone, batch)
      if (waiting.length === 0) return 0
      if (
        await pass(
          platform,
          eventUrl,
          waiting.map(({ record }) => record),
        )
      )
        await updateForwarding(
          db,
          waiting.map(({ key }) => key),
          'passed',
        )
      else
        for (const { key, record } of waiting) {
          const taken = await pass(platform, eventUrl, [record])
          await updateForwarding(db, [key], taken ? 'passed' : 'refused')
        }
      return waiting.length
    })
  }
}

/** True: the collector has them. False: it says that they are wrong. */
async function pass(platform: Platform, eventUrl: string, records: EventRecord[]) {
  const token = await platform.keys.sign(
    {},
    {
      type: 'at+jwt',
      audience: new URL(eventUrl).origin,
      subject: 'atrium',
      id: crypto.randomUUID(),
      seconds: 60,
    },
  )
  const { status, bytes } = await fetchOutside(eventUrl, {
    allow: platform.env.ATRIUM_OUTBOUND_ALLOW,
    method: 'POST',
    // A token for the collector alone; it can be verified with our published key.
    headers: { 'content-type': 'application/json', 'x-id-token': token },
    body: JSON.stringify(records),
    seconds: 10,
    redirects: 0,
  })
  if (status === 400 || status === 413 || status === 422) return false
  if (status < 200 || status > 299 || failedInside(bytes))
    throw new Error(`The event collector answered with the status ${status}.`)
  return true
}

/** Many such systems answer 200 and say in the body that it went wrong. */
function failedInside(bytes: Buffer) {
  try {
    const { code } = JSON.parse(bytes.toString('utf8')) as { code?: unknown }
    return code !== undefined && !['0', '200'].includes(String(code))
  } catch {
    return false
  }
}
