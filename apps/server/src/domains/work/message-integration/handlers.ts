import type { Body } from '@atrium/contract/define'
import {
  type MessageStatus,
  maxRecipients,
  type messageIntegration,
  type RefusedRecipient,
} from '@atrium/contract/work/message-integration'
import { substituteVariables, variablesIn } from '@atrium/rules/messages/variables'
import { sql } from 'kysely'
import { updateSent, withdraw } from '#domains/work/messages/after-sending.ts'
import { type NewMessage, sendMessage } from '#domains/work/messages/send.ts'
import { writeAudit } from '#platform/audit.ts'
import { checkedAudience } from '#platform/checked-audience.ts'
import type { Db } from '#platform/database/db.ts'
import { fail, type IssueKind } from '#platform/http/errors.ts'
import { pageSizeOf } from '#platform/http/paging.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { attachmentsOf, receiveSystemFile } from './files.ts'
import {
  countOutcomes,
  countSentInHour,
  findKind,
  findMessageByKey,
  findSentMessage,
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
      const kindRow =
        (await findKind(db, system, body.app, body.kind)) ?? fail('message.app_not_found')
      if (kindRow.id === null) fail('message.kind_not_found')
      const kind = { id: kindRow.id, app_id: kindRow.app_id }
      // Checked before any limit, so that a call whose answer was lost can be repeated.
      const existing = await findMessageByKey(db, system, body.key)
      if (existing) return repeatedAnswer(db, existing.id)
      if (body.urgent && !kindRow.urgent) fail('request.invalid', { fields: { urgent: 'choice' } })
      if (
        kindRow.max_per_hour !== null &&
        (await countSentInHour(db, kind.id)) >= kindRow.max_per_hour
      )
        fail('message.sender_limit', { retryAfter: 600 })
      const { texts, variables } = textsOf(body, kindRow.template as Texts | null)
      const attachments = await attachmentsOf(db, system, body.attachments ?? [])
      const { to, recipients, refused } = await recipientsOf(db, body, variables)
      const { id, repeated } = await sendMessage(db, {
        kind,
        to,
        ...texts,
        variables,
        attachments,
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
      // Urgent messages bypass quiet hours, so they are audited.
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

  upload: ({ platform, request }) => receiveSystemFile(platform, systemOf(request), request),

  update: ({ platform, request, params: { id }, body }) =>
    platform.db.transaction().execute(async (db) => {
      const { variables } = await getOwnMessage(db, request, id)
      // Variables in a correction are filled in per reader, from the values sent with the message.
      const issues = Object.entries(givenTexts(body)).flatMap(
        ([field, text]): [string, IssueKind][] =>
          variablesIn([text]).some((name) => !variables.includes(name))
            ? [[field, 'variable']]
            : [],
      )
      if (issues.length > 0) fail('request.invalid', { fields: Object.fromEntries(issues) })
      await updateSent(db, id, body)
      return statusOf(db, request, id)
    }),

  withdraw: ({ platform, request, params: { id } }) =>
    platform.db.transaction().execute(async (db) => {
      await getOwnMessage(db, request, id)
      await withdraw(db, id)
      return statusOf(db, request, id)
    }),

  status: ({ db, request, params: { id } }) => statusOf(db, request, id),

  async recipients({ db, request, params: { id }, query }) {
    await getOwnMessage(db, request, id)
    return listOutcomes(db, id, { cursor: query.cursor, pageSize: pageSizeOf(query) })
  },
}

/** The answer to a repeated key. */
async function repeatedAnswer(db: Db, id: string) {
  const { recipients } = await countOutcomes(db, id)
  return { id, repeated: true, recipients, refused: [] }
}

/** A message sent by the calling system; messages of other systems count as missing. */
const getOwnMessage = async (db: Db, request: Request, id: string) =>
  (await findSentMessage(db, systemOf(request), id)) ?? fail('message.not_found')

async function statusOf(db: Db, request: Request, id: string): Promise<MessageStatus> {
  const { key, sentAt, withdrawn_at, spread_after } = await getOwnMessage(db, request, id)
  const status = withdrawn_at ? 'withdrawn' : spread_after === null ? 'sent' : 'sending'
  return { id, key: key ?? '', status, sentAt, ...(await countOutcomes(db, id)) }
}

type SendBody = Body<typeof messageIntegration.send>
const fields = ['title', 'titleEn', 'summary', 'summaryEn', 'content', 'contentEn'] as const
/** Texts with unfilled variables. */
type Texts = Partial<Record<(typeof fields)[number], string>>

/** The texts given in the call. */
const givenTexts = (body: Texts): Texts =>
  Object.fromEntries(
    fields.flatMap((field) => (body[field] === undefined ? [] : [[field, body[field]]])),
  )

/**
 * The texts of the message: those in the call override the kind's template. Variables common to all recipients are
 * filled in.
 * @returns the texts, and the variables to fill in per reader
 * @throws request.invalid
 */
function textsOf(body: SendBody, template: Texts | null) {
  const texts: Texts = { ...template, ...givenTexts(body) }
  const personalNames = new Set(
    (body.to.recipients ?? []).flatMap((one) => Object.keys(one.variables)),
  )
  const common = Object.fromEntries(
    Object.entries(body.variables ?? {}).filter(([name]) => !personalNames.has(name)),
  )
  const filled: Texts = Object.fromEntries(
    Object.entries(texts).map(([field, text]) => [
      field,
      substituteVariables(text, common, {
        html: field.startsWith('content'),
        english: field.endsWith('En'),
      }),
    ]),
  )
  // Uses the texts before filling in, because a value may look like a variable.
  const unfilled = (text: string) =>
    variablesIn([text]).filter((name) => !Object.hasOwn(common, name))
  const issues = Object.entries(texts).flatMap(([field, text]): [string, IssueKind][] =>
    unfilled(text).some((name) => !personalNames.has(name)) ? [[field, 'variable']] : [],
  )
  if (!filled.title) issues.push(['title', 'required'])
  if (issues.length > 0) fail('request.invalid', { fields: Object.fromEntries(issues) })
  const both = (zh: string | undefined, en: string | undefined) => ({ zh: zh ?? '', en: en ?? '' })
  return {
    texts: {
      title: both(filled.title, filled.titleEn),
      summary: both(filled.summary, filled.summaryEn),
      content: both(filled.content, filled.contentEn),
    },
    variables: [...new Set(Object.values(texts).flatMap(unfilled))],
  }
}

type Recipients = {
  to: NewMessage['to']
  recipients: number | null
  refused: RefusedRecipient[]
}

/**
 * Resolves the recipients, and reports those who cannot be reached with a reason.
 * @param names variables for which every recipient needs a value
 * @throws request.invalid
 */
async function recipientsOf(
  db: Db,
  { to, variables: common = {} }: SendBody,
  names: readonly string[],
): Promise<Recipients> {
  const { usernames = [], numbers = [], recipients = [], rules } = to
  const count = usernames.length + numbers.length + recipients.length
  if (rules) {
    if (count > 0) fail('request.invalid', { fields: { 'to.rules': 'together' } })
    const audience = await checkedAudience(db, rules, 'to.rules')
    return { to: { rules: audience }, recipients: null, refused: [] }
  }
  if (count === 0) fail('request.invalid', { fields: { to: 'nobody' } })
  if (count > maxRecipients) fail('request.invalid', { fields: { to: 'range' } })
  const unnamed = recipients.findIndex(
    (one) => (one.username === undefined) === (one.number === undefined),
  )
  if (unnamed >= 0) fail('request.invalid', { fields: { [`to.recipients.${unnamed}`]: 'choice' } })
  const entries = [
    ...recipients,
    ...usernames.map((username) => ({ username, number: undefined, variables: {} })),
    ...numbers.map((number) => ({ username: undefined, number, variables: {} })),
  ]
  const byUsername = await listByUsername(
    db,
    entries.flatMap(({ username }) => username ?? []),
  )
  const byNumber = await listByNumber(
    db,
    entries.flatMap(({ number }) => number ?? []),
  )
  const accountsOf = {
    username: Map.groupBy(byUsername, ({ name }) => name),
    number: Map.groupBy(byNumber, ({ name }) => name ?? ''),
  }
  const values = new Map<string, Record<string, string>>()
  const refused: RefusedRecipient[] = []
  const seenKeys = new Set<string>()
  for (const { username, number = '', variables } of entries) {
    const recipient = username ?? number
    const key = username === undefined ? number : username.toLowerCase()
    const kind = username === undefined ? 'number' : 'username'
    const matches = accountsOf[kind].get(key) ?? []
    const active = matches.filter(({ status }) => status !== 'disabled')
    const personalValues: Record<string, string> = { ...common, ...variables }
    const missing = names.filter((name) => !Object.hasOwn(personalValues, name))
    const repeated =
      seenKeys.has(`${kind} ${key}`) ||
      (active.length > 0 && active.every(({ id }) => values.has(id)))
    seenKeys.add(`${kind} ${key}`)
    if (matches.length === 0) refused.push({ recipient, reason: 'unknown' })
    else if (active.length === 0) refused.push({ recipient, reason: 'closed' })
    else if (repeated) refused.push({ recipient, reason: 'twice' })
    else if (missing.length > 0) refused.push({ recipient, reason: 'variables', missing })
    else
      for (const { id } of active)
        if (!values.has(id)) values.set(id, pickValues(personalValues, names))
  }
  return {
    to: {
      accounts: [...values.keys()],
      ...(names.length > 0 && {
        variables: sql`${JSON.stringify(Object.fromEntries(values))}::jsonb -> account_id::text`,
      }),
    },
    recipients: values.size,
    refused,
  }
}

/** The values of these variables, and of their English variants. */
const pickValues = (values: Record<string, string>, names: readonly string[]) =>
  Object.fromEntries(
    names
      .flatMap((name) => [name, `${name}.en`])
      .flatMap((name) => (Object.hasOwn(values, name) ? [[name, values[name] ?? '']] : [])),
  )
