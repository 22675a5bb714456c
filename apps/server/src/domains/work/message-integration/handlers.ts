import type { Body } from '@atrium/contract/define'
import type {
  MessageStatus,
  messageIntegration,
  RefusedRecipient,
} from '@atrium/contract/work/message-integration'
import { updateSent, withdraw } from '#domains/work/messages/after-sending.ts'
import { type NewMessage, sendMessage } from '#domains/work/messages/send.ts'
import { writeAudit } from '#platform/audit.ts'
import { checkedAudience } from '#platform/checked-audience.ts'
import type { Db } from '#platform/database/db.ts'
import { fail, type IssueKind } from '#platform/http/errors.ts'
import { pageSizeOf } from '#platform/http/paging.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { fillIn, type Texts } from './fill-in.ts'
import {
  countOutcomes,
  countSentInHour,
  findByKey,
  findKind,
  findSent,
  listByNumber,
  listByUsername,
  listOutcomes,
} from './queries.ts'

type Request = { integrator: string | undefined }
const systemOf = ({ integrator }: Request) => integrator ?? fail('session.forbidden')

export const messageIntegrationHandlers: Handlers<typeof messageIntegration> = {
  send: ({ platform, request, body }) =>
    platform.db.transaction().execute(async (db) => {
      const system = systemOf(request)
      const found =
        (await findKind(db, system, body.app, body.kind)) ?? fail('message.app_not_found')
      if (found.id === null) fail('message.kind_not_found')
      const kind = { id: found.id, app_id: found.app_id }
      // Before any limit: whoever lost the answer may ask again.
      const before = await findByKey(db, system, body.key)
      if (before) return repeatedAnswer(db, before.id)
      if (body.urgent && !found.urgent) fail('request.invalid', { fields: { urgent: 'choice' } })
      if (found.max_per_hour !== null && (await countSentInHour(db, kind.id)) >= found.max_per_hour)
        fail('message.sender_limit', { retryAfter: 600 })
      const texts = textsOf(body, found.template as Texts | null)
      const { to, recipients, refused } = await recipientsOf(db, body.to)
      const { id, repeated } = await sendMessage(db, {
        kind,
        to,
        ...texts,
        sender: { zh: body.sender ?? '', en: body.senderEn ?? '' },
        url: body.url ?? '',
        actions: body.actions ?? [],
        choices: body.choices ?? [],
        asksConfirmation: body.confirm ?? false,
        confirmUntil: body.replyUntil,
        validUntil: body.validUntil,
        urgent: body.urgent !== undefined,
        source: { code: system, key: body.key },
      })
      // Whoever disturbs members at night answers for it.
      if (body.urgent && !repeated)
        await writeAudit(db, {
          channel: 'api',
          operator: system,
          address: request.ip,
          requestId: request.id,
          action: 'urgent message',
          details: { id, app: body.app, kind: body.kind, reason: body.urgent.reason },
        })
      return repeated ? repeatedAnswer(db, id) : { id, repeated, recipients, refused }
    }),

  update: ({ platform, request, params: { id }, body }) =>
    platform.db.transaction().execute(async (db) => {
      await own(db, request, id)
      await updateSent(db, id, body)
      return statusOf(db, request, id)
    }),

  withdraw: ({ platform, request, params: { id } }) =>
    platform.db.transaction().execute(async (db) => {
      await own(db, request, id)
      await withdraw(db, id)
      return statusOf(db, request, id)
    }),

  status: ({ db, request, params: { id } }) => statusOf(db, request, id),

  async recipients({ db, request, params: { id }, query }) {
    await own(db, request, id)
    return listOutcomes(db, id, { cursor: query.cursor, pageSize: pageSizeOf(query) })
  },
}

/** What a call with a key that was used before is told. */
async function repeatedAnswer(db: Db, id: string) {
  const { recipients } = await countOutcomes(db, id)
  return { id, repeated: true, recipients, refused: [] }
}

/** A message of the system that calls; those of others are missing. */
const own = async (db: Db, request: Request, id: string) =>
  (await findSent(db, systemOf(request), id)) ?? fail('message.not_found')

async function statusOf(db: Db, request: Request, id: string): Promise<MessageStatus> {
  const { key, sentAt, withdrawn_at, spread_after } = await own(db, request, id)
  const status = withdrawn_at ? 'withdrawn' : spread_after === null ? 'sent' : 'sending'
  return { id, key: key ?? '', status, sentAt, ...(await countOutcomes(db, id)) }
}

type SendBody = Body<typeof messageIntegration.send>

/** What the message says: the call's own texts over the kind's template. @throws request.invalid */
function textsOf(body: SendBody, template: Texts | null) {
  const own: Texts = Object.fromEntries(
    (['title', 'titleEn', 'summary', 'summaryEn', 'content', 'contentEn'] as const).flatMap(
      (field) => (body[field] === undefined ? [] : [[field, body[field]]]),
    ),
  )
  const { filled, missing } = fillIn({ ...template, ...own }, body.variables ?? {})
  const issues = missing.map((field): [string, IssueKind] => [field, 'variable'])
  if (!filled.title) issues.push(['title', 'required'])
  if (issues.length > 0) fail('request.invalid', { fields: Object.fromEntries(issues) })
  const both = (zh: string | undefined, en: string | undefined) => ({ zh: zh ?? '', en: en ?? '' })
  return {
    title: both(filled.title, filled.titleEn),
    summary: both(filled.summary, filled.summaryEn),
    content: both(filled.content, filled.contentEn),
  }
}

type Recipients = {
  to: NewMessage['to']
  recipients: number | null
  refused: RefusedRecipient[]
}

/** Whom the message goes to, and whom it cannot go to, each with why. @throws request.invalid */
async function recipientsOf(db: Db, to: SendBody['to']): Promise<Recipients> {
  const { usernames = [], numbers = [], rules } = to
  if (rules) {
    if (usernames.length + numbers.length > 0)
      fail('request.invalid', { fields: { 'to.rules': 'together' } })
    const audience = await checkedAudience(db, rules, 'to.rules')
    return { to: { rules: audience }, recipients: null, refused: [] }
  }
  if (usernames.length + numbers.length === 0) fail('request.invalid', { fields: { to: 'nobody' } })
  const accounts = new Set<string>()
  const refused: RefusedRecipient[] = []
  const take = (
    names: readonly string[],
    rows: readonly { id: string; status: string; name: string | null }[],
    keyOf: (name: string) => string,
  ) => {
    const byName = Map.groupBy(rows, ({ name }) => name ?? '')
    const seen = new Set<string>()
    for (const recipient of names) {
      const key = keyOf(recipient)
      const found = byName.get(key) ?? []
      const open = found.filter(({ status }) => status !== 'disabled')
      const repeated =
        seen.has(key) || (open.length > 0 && open.every(({ id }) => accounts.has(id)))
      seen.add(key)
      if (found.length === 0) refused.push({ recipient, reason: 'unknown' })
      else if (open.length === 0) refused.push({ recipient, reason: 'closed' })
      else if (repeated) refused.push({ recipient, reason: 'twice' })
      for (const { id } of open) accounts.add(id)
    }
  }
  take(usernames, await listByUsername(db, usernames), (name) => name.toLowerCase())
  take(numbers, await listByNumber(db, numbers), (name) => name)
  return { to: { accounts: [...accounts] }, recipients: accounts.size, refused }
}
