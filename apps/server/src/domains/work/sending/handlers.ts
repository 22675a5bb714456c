import { type Recipient, type SendingDraft, sending } from '@atrium/contract/work/sending'
import type { Values } from '@atrium/rules/messages/variables'
import { isFindable } from '#domains/member/privacy/settings.ts'
import { findBoundStates } from '#domains/work/notifications/queries.ts'
import type { Db } from '#platform/database/db.ts'
import { announce } from '#platform/database/topics.ts'
import { canSend } from '#platform/delivery/outbox.ts'
import { fail, type IssueKind } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { pageOf } from '#platform/http/paging.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { operatedIn } from '#platform/permissions.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { fileIssues } from '#platform/storage/file-use.ts'
import { notifyApprovers, withAudit } from './approval.ts'
import {
  findByLines,
  findGroups,
  findOrganizations,
  findPeople,
  nameRecipients,
} from './choices.ts'
import { checkFiles } from './files.ts'
import { getPolicy } from './policy.ts'
import {
  countPending,
  countSendings,
  countSentInHour,
  deleteDraft,
  displayKind,
  findDraft,
  findSending,
  findSendingByKey,
  listSendings,
  nameSender,
  type SendingRow,
  saveDraft,
} from './queries.ts'
import {
  type Channel,
  countRecipients,
  findMissingValues,
  type Kind,
  previewRecipients,
  type SendingScope,
} from './recipients.ts'
import {
  filterRecipients,
  getSender,
  getSendingScope,
  listApprovers,
  type Sender,
} from './senders.ts'
import { findVariables } from './texts.ts'

const maxDaysAhead = 366

export const sendingHandlers: Handlers<typeof sending> = {
  async rights({ platform, db, viewer }) {
    const policy = await getPolicy(db)
    const within = operatedIn(viewer, 'send')
    const isPermitted = within === null || within.length > 0
    const { wecom, wechat } = await findBoundStates(db, viewer.personId)
    const channels: [Channel, boolean][] = [
      ['push', true],
      ['mail', isPermitted && canSend(platform, 'email')],
      ['sms', isPermitted && canSend(platform, 'mobile')],
      ['wecom', isPermitted && wecom.available],
      ['wechat', isPermitted && wechat.available],
    ]
    const { timeZone } = await currentSettings(platform)
    const sender = isPermitted || policy.members ? await getSender(db, viewer) : undefined
    return {
      may: sender !== undefined,
      everywhere: within === null,
      asMember: sender?.asMember ?? false,
      approves: isPermitted ? await countPending(db, viewer, within) : 0,
      approveAbove: isPermitted ? policy.approveAbove : null,
      maxRecipients: sender?.maxRecipients ?? null,
      kinds: [...(sender?.kinds ?? [])],
      hours: policy.hours,
      held: policy.held,
      channels: channels.flatMap(([channel, isSetUp]) => (isSetUp ? [channel] : [])),
      timeZone,
    }
  },

  async preview({ platform, db, viewer, body: { channels, kind, needs, ...body } }) {
    const sender = await getSender(db, viewer)
    const { recipients, declined, closed } = await filterRecipients(
      platform,
      sender,
      viewer,
      body.recipients,
      channels,
    )
    const preview = await previewRecipients(
      db,
      recipients,
      channels,
      sender.within,
      kindOf(sender, kind),
      needs,
    )
    const omitted = [
      { reason: 'declined' as const, names: declined },
      { reason: 'closedGroup' as const, names: closed },
    ].flatMap(({ reason, names }) =>
      names.length > 0 ? [{ reason, count: names.length, examples: names.slice(0, 5) }] : [],
    )
    return { ...preview, leftOut: [...preview.leftOut, ...omitted] }
  },

  async send({ platform, viewer, request, body }) {
    return withAudit(platform, sending.send, viewer, request, async (db) => {
      const sender = await getSender(db, viewer)
      const existing = await findSendingByKey(db, viewer.accountId, body.key)
      if (existing) return { sendId: existing.id, status: existing.status }
      const { policy, within, asMember } = sender
      if ((await countSentInHour(db, viewer.accountId)) >= sender.maxPerHour)
        fail('message.sender_limit', { retryAfter: 600 })
      const kind = kindOf(sender, body.kind)
      const { sendTime, perMinute, format = 'text', variables } = body
      const usesOptions =
        sendTime !== undefined || perMinute !== undefined || variables !== undefined
      if (asMember && (usesOptions || format !== 'text')) fail('session.forbidden')
      const text = {
        title: body.title.trim(),
        title_en: body.titleEn?.trim() ?? '',
        content: body.content ?? '',
        content_en: body.contentEn ?? '',
      }
      const sendAt = await sendTimeOf(platform, body.test ? undefined : body.sendTime)
      const files = await checkFiles(db, viewer, body.files ?? [])
      const { recipients } = body.test
        ? { recipients: [{ accountName: viewer.username }] }
        : await filterRecipients(platform, sender, viewer, body.recipients, body.channels)
      const count = await countRecipients(db, recipients, body.test ? null : within)
      if (variables) await checkVariables(db, text, variables, recipients, within, body.test)
      if (count === 0) fail('request.invalid', { fields: { recipients: 'nobody' } })
      if (count !== body.expected && !body.test) fail('sending.changed')
      if (sender.maxRecipients !== null && count > sender.maxRecipients) fail('sending.too_many')
      const { approveAbove } = policy
      const pending = !body.test && !asMember && approveAbove !== null && count > approveAbove
      const approvers = pending ? await listApprovers(db, viewer.accountId, within) : []
      if (pending && approvers.length === 0) fail('sending.no_approver')
      const status = pending ? ('pending' as const) : ('scheduled' as const)
      const author = await nameSender(db, viewer.accountId)
      const inserted = await db
        .insertInto('sending')
        .values({
          author_account_id: viewer.accountId,
          author,
          key: body.key,
          status,
          kind,
          test: body.test ?? false,
          as_member: asMember,
          ...text,
          format,
          variables: variables ? JSON.stringify(variables) : null,
          url: body.url ?? '',
          files: JSON.stringify(files),
          choices: JSON.stringify(body.choices ?? []),
          channels: [...body.channels],
          asks_confirmation: body.confirm ?? false,
          confirm_until: body.confirmUntil ?? null,
          chosen: JSON.stringify(recipients),
          within: within && !body.test ? [...within] : null,
          expected: count,
          per_minute: body.perMinute ?? null,
          ...(sendAt && { send_at: sendAt, next_at: sendAt }),
        })
        .onConflict((conflict) => conflict.columns(['author_account_id', 'key']).doNothing())
        .returning('id')
        .executeTakeFirst()
      // A concurrent call with the same key won.
      if (!inserted) return findEarlier(db, viewer, body.key)
      if (pending)
        await notifyApprovers(db, approvers, { id: inserted.id, author, title: text.title })
      if (!body.test) await deleteDraft(db, viewer.accountId)
      await announce(db, { kind: 'sending', key: '' })
      return { sendId: inserted.id, status }
    })
  },

  async list({ db, viewer, query }) {
    await getSender(db, viewer)
    const { pageNo, pageSize, offset } = pageOf(query)
    const [list, total] = await Promise.all([
      listSendings(db, viewer.accountId, pageSize, offset),
      countSendings(db, viewer.accountId),
    ])
    return { list, total, pageNo, pageSize }
  },

  async people({ platform, db, viewer, query: { keyWords } }) {
    const { within, asMember } = await getSender(db, viewer)
    // Senders with the permission can reach everybody in their scope, so they can also find everybody there.
    const options = asMember
      ? { exactly: true, condition: await isFindable(platform, keyWords) }
      : {}
    return findPeople(db, within, keyWords, options)
  },
  async organizations({ db, viewer, query }) {
    return findOrganizations(db, await getSendingScope(db, viewer), query)
  },
  async groups({ db, viewer, query: { keyWords } }) {
    return findGroups(db, await getSendingScope(db, viewer), keyWords)
  },
  async find({ db, viewer, body: { lines } }) {
    return findByLines(db, await getSendingScope(db, viewer), lines)
  },

  async draft({ db, viewer }) {
    await getSender(db, viewer)
    return findDraft(db, viewer.accountId)
  },
  async saveDraft({ db, viewer, body }) {
    await getSender(db, viewer)
    await saveDraft(db, viewer.accountId, body)
    return null
  },
  async deleteDraft({ db, viewer }) {
    await getSender(db, viewer)
    await deleteDraft(db, viewer.accountId)
    return null
  },
  async copy({ db, viewer, query: { sendId } }) {
    const { within } = await getSender(db, viewer)
    const original = (await findSending(db, viewer, within, sendId)) ?? fail('sending.not_found')
    if (!original.own) fail('sending.not_found')
    return draftOf(db, viewer, original)
  },
}

/** @throws request.invalid for a kind this sender may not use */
function kindOf({ kinds, asMember }: Sender, kind: (typeof kinds)[number] = 'notice'): Kind {
  if (asMember) return 'personal'
  if (!kinds.includes(kind)) fail('request.invalid', { fields: { kind: 'choice' } })
  return kind
}

async function findEarlier(db: Db, viewer: Member, key: string) {
  const sent = (await findSendingByKey(db, viewer.accountId, key)) ?? fail('sending.not_found')
  return { sendId: sent.id, status: sent.status }
}

/** An earlier message as a new draft. Files its author no longer owns are left out. */
async function draftOf(db: Db, viewer: Member, original: SendingRow): Promise<SendingDraft> {
  const { title, titleEn, content, contentEn, url, kind, confirm, format } = original
  const variables = original.variables as Values | null
  const files = original.files as SendingDraft['files']
  const missingFiles = await fileIssues(
    db,
    viewer,
    new Map(files.map(({ fileId }) => [fileId, fileId])),
  )
  return {
    title,
    titleEn,
    content,
    contentEn,
    url,
    kind: displayKind(kind),
    format: format as SendingDraft['format'] & string,
    ...(variables && { variables }),
    confirm,
    files: files.filter(({ fileId }) => !(fileId in missingFiles)),
    choices: original.choices as SendingDraft['choices'],
    channels: original.by as Channel[],
    recipients: await nameRecipients(db, original.chosen as Recipient[]),
  }
}

/**
 * Refuses texts with unfilled variables.
 * @throws request.invalid for an author variable without a value, sending.variables_missing if members lack one
 */
async function checkVariables(
  db: Db,
  written: Parameters<typeof findVariables>[0],
  variables: Values,
  recipients: readonly Recipient[],
  within: SendingScope,
  test = false,
) {
  const { ofMembers, ofAuthor } = findVariables(written)
  const hasValue = (name: string) => Object.hasOwn(variables, name) && variables[name] !== ''
  const unfilled = ofAuthor.filter((name) => !hasValue(name))
  if (unfilled.length > 0)
    fail('request.invalid', {
      fields: Object.fromEntries(
        unfilled.map((name) => [`variables.${name}`, 'required' as const]),
      ),
    })
  const required = ofMembers.filter((name) => !hasValue(name))
  if ((await findMissingValues(db, recipients, test ? null : within, required)).length > 0)
    fail('sending.variables_missing')
}

/**
 * Parses the send time.
 * @param text local time in the institution's time zone
 * @throws request.invalid if the time is past, too far ahead, or skipped or repeated by a clock change
 */
async function sendTimeOf(platform: Platform, text: string | undefined) {
  if (text === undefined) return undefined
  const refuse = (issue: IssueKind): never =>
    fail('request.invalid', { fields: { sendTime: issue } })
  const { timeZone } = await currentSettings(platform)
  let local: Temporal.PlainDateTime
  try {
    local = Temporal.PlainDateTime.from(text)
  } catch {
    return refuse('format')
  }
  let epochMs: number
  try {
    epochMs = local.toZonedDateTime(timeZone, { disambiguation: 'reject' }).epochMilliseconds
  } catch {
    return refuse('clockChange')
  }
  const now = Date.now()
  if (epochMs <= now || epochMs > now + maxDaysAhead * 86_400_000) return refuse('range')
  return new Date(epochMs).toISOString()
}
