import type { outbox } from '@atrium/contract/identity/outbox.operator'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { masked, retryMessage } from '#platform/delivery/outbox-worker.ts'
import { fail } from '#platform/http/errors.ts'
import { cursorPage, cursorShapes, pageSizeOf, readCursor } from '#platform/http/paging.ts'
import type { Handlers } from '#platform/http/serve.ts'

export const outboxHandlers: Handlers<typeof outbox> = {
  async list({ db, platform, query }) {
    const pageSize = pageSizeOf(query)
    const [before] = readCursor(query.cursor, [cursorShapes.id]) ?? []
    const rows = await listMessages(db, {
      ...query,
      before,
      limit: pageSize + 1,
      codesShown: platform.env.ATRIUM_DEMO,
    })
    return cursorPage(
      rows,
      pageSize,
      ({ id }) => [id],
      (row) => row,
    )
  },

  async send({ db, platform, params: { id } }) {
    const retried = await db.transaction().execute((db) => retryMessage(db, id))
    const [row] = await listMessages(db, { id, limit: 1, codesShown: platform.env.ATRIUM_DEMO })
    if (!row) return fail('outbox.not_found')
    return retried ? row : fail('outbox.not_failed')
  },
}

type MessageFilter = {
  id?: string
  kind?: string
  status?: string
  recipient?: string
  before?: string | undefined
  limit: number
  /** demo mode: nothing is delivered, so the console is the only place to read codes */
  codesShown: boolean
}

async function listMessages(db: Db, { codesShown, ...filter }: MessageFilter) {
  const status = sql<'waiting' | 'sent' | 'failed'>`
    case when sent_at is not null then 'sent' when failed_at is not null then 'failed' else 'waiting' end`
  let query = db
    .selectFrom('outbox')
    .select([
      'id',
      sql<'sms' | 'mail' | 'push' | 'wecom' | 'wechat'>`kind`.as('kind'),
      'recipient',
      (codesShown ? sql<string>`subject` : masked('subject')).as('subject'),
      (codesShown ? sql<string>`body` : masked('body')).as('body'),
      'template',
      status.as('status'),
      'tries',
      'error',
      'created_at as createdAt',
      'sent_at as sentAt',
      'failed_at as failedAt',
    ])
    .orderBy('id', 'desc')
    .limit(filter.limit)
  if (filter.id) query = query.where('id', '=', filter.id)
  if (filter.kind) query = query.where('kind', '=', filter.kind)
  if (filter.status) query = query.where(status, '=', filter.status as 'sent')
  if (filter.recipient) query = query.where('recipient', '=', filter.recipient)
  if (filter.before) query = query.where('id', '<', filter.before)
  return query.execute()
}
