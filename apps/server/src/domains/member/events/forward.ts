import type { EventRecord } from '@atrium/contract/member/events'
import { fetchExternal } from '#platform/outbound/outbound.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { lockPendingEvents, updateForwarding } from './queries.ts'

const batchSize = 100

/** Whether `eventUrl` is the institution's own collector; otherwise events are stored here, or not recorded. */
export const isExternal = (eventUrl: string) => /^https?:/.test(eventUrl)

/**
 * Forwards waiting events, oldest first, until none are left. If the collector is unreachable, the rest waits for the
 * next run. A record the collector refuses on its own is marked as refused and does not block the others. After a lost
 * answer, an event may arrive twice with the same eventId.
 * @throws OutboundError, or an Error if the collector fails
 */
export async function forwardEvents(platform: Platform): Promise<void> {
  const { eventUrl, timeZone } = await currentSettings(platform)
  if (!isExternal(eventUrl)) return
  for (let count = batchSize; count === batchSize; ) {
    count = await platform.db.transaction().execute(async (db) => {
      const pending = await lockPendingEvents(db, timeZone, batchSize)
      if (pending.length === 0) return 0
      if (
        await forwardRecords(
          platform,
          eventUrl,
          pending.map(({ record }) => record),
        )
      )
        await updateForwarding(
          db,
          pending.map(({ key }) => key),
          'passed',
        )
      else
        for (const { key, record } of pending) {
          const wasAccepted = await forwardRecords(platform, eventUrl, [record])
          await updateForwarding(db, [key], wasAccepted ? 'passed' : 'refused')
        }
      return pending.length
    })
  }
}

/** @returns true if the collector accepted the records, false if it rejected them as invalid */
async function forwardRecords(platform: Platform, eventUrl: string, records: EventRecord[]) {
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
  const { status, bytes } = await fetchExternal(eventUrl, {
    allow: platform.env.ATRIUM_OUTBOUND_ALLOW,
    method: 'POST',
    // A token issued only for the collector, which can verify it with our published key.
    headers: { 'content-type': 'application/json', 'x-id-token': token },
    body: JSON.stringify(records),
    seconds: 10,
    redirects: 0,
  })
  if (status === 400 || status === 413 || status === 422) return false
  if (status < 200 || status > 299 || hasErrorBody(bytes))
    throw new Error(`The event collector answered with the status ${status}.`)
  return true
}

/** Many collectors answer 200 and report failure in the body. */
function hasErrorBody(bytes: Buffer) {
  try {
    const { code } = JSON.parse(bytes.toString('utf8')) as { code?: unknown }
    return code !== undefined && !['0', '200'].includes(String(code))
  } catch {
    return false
  }
}
