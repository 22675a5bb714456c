import { randomUUID } from 'node:crypto'
import { EventRecord, type events, maxEvents } from '@atrium/contract/member/events'
import { deviceOf } from '#domains/identity/browsers/device.ts'
import { mayRecordUse } from '#domains/member/privacy/settings.ts'
import { errorText, fail, fieldIssue } from '#platform/http/errors.ts'
import { languageOf } from '#platform/http/negotiation.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { isExternal } from './forward.ts'
import { ensurePartitions } from './partitions.ts'
import { insertEvents, type NewEvent } from './queries.ts'
import { instantOf, rowOf, unstorableField } from './rules.ts'

/** How many records beyond the maximum are refused one by one; a longer list is refused as a whole. */
const maxRefusals = 1000

export const eventHandlers: Handlers<typeof events> = {
  async record({ db, viewer, body, platform, request }) {
    const sent: unknown[] = Array.isArray(body) ? body : [body]
    if (sent.length > maxEvents + maxRefusals) fail('request.too_large')
    const { eventUrl, timeZone } = await currentSettings(platform)
    const language = languageOf(request.headers['accept-language'])
    const now = new Date()
    const sender = deviceOf(request)
    const validate =
      request.getValidationFunction(EventRecord) ?? request.compileValidationSchema(EventRecord)

    const rows: NewEvent[] = []
    const refused: { index: number; field: string; reason: string }[] = []
    const refuse = (index: number, keyword: string, path: string, params = {}) => {
      const issue = fieldIssue({ keyword, instancePath: path, params }, language)
      const [field = '', reason = ''] = Object.entries(issue)[0] ?? []
      refused.push({ index, field: field === 'body' ? '' : field, reason })
    }
    for (const [index, input] of sent.entries()) {
      if (index >= maxEvents) {
        refused.push({ index, field: '', reason: errorText('request.too_large', language) })
        continue
      }
      if (!validate(input)) {
        const issue = validate.errors?.[0]
        refuse(index, issue?.keyword ?? '', issue?.instancePath ?? '', issue?.params)
        continue
      }
      const record = input as EventRecord
      const unstorable = unstorableField(record)
      const occurredAt = instantOf(record.eventEnvOperationTime, timeZone, now)
      if (unstorable) refuse(index, 'format', `/${unstorable}`)
      else if (!occurredAt) refuse(index, 'maximum', '/eventEnvOperationTime')
      else
        rows.push({
          ...rowOf(record, sender),
          occurred_at: occurredAt,
          event_id: record.eventId ?? randomUUID(),
        })
    }
    // Recording is off: records from clients that do not know yet are dropped.
    if (eventUrl === '') return { accepted: 0, refused }
    if (rows.length > 0) {
      await ensurePartitions(platform.db, now)
      // Without permission to record, the event is counted as a visitor's.
      const accountId = (await mayRecordUse(platform, viewer)) ? viewer.accountId : null
      await insertEvents(db, rows, accountId, isExternal(eventUrl) ? 'waiting' : 'own')
    }
    return { accepted: rows.length, refused }
  },
}
