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
import { recorded, tellApprovers } from './approval.ts'
import {
  findByLines,
  findGroups,
  findOrganizations,
  findPeople,
  nameRecipients,
} from './choices.ts'
import { getPolicy } from './policy.ts'
import {
  countPending,
  countSendings,
  countSentInHour,
  deleteDraft,
  type FoundSending,
  findByKey,
  findDraft,
  findSending,
  listSendings,
  nameSender,
  saveDraft,
  shownKind,
} from './queries.ts'
import {
  type Channel,
  countRecipients,
  findLacking,
  type Kind,
  previewRecipients,
  type Within,
} from './recipients.ts'
import { hearing, listApprovers, type Sender, senderOf, withinOf } from './senders.ts'
import { usedIn } from './texts.ts'

const maxDaysAhead = 366

export const sendingHandlers: Handlers<typeof sending> = {
  async rights({ platform, db, viewer }) {
    const policy = await getPolicy(db)
    const within = operatedIn(viewer, 'send')
    const may = within === null || within.length > 0
    const { wecom, wechat } = await findBoundStates(db, viewer.personId)
    const channels: [Channel, boolean][] = [
      ['push', true],
      ['mail', may && canSend(platform, 'email')],
      ['sms', may && canSend(platform, 'mobile')],
      ['wecom', may && wecom.available],
      ['wechat', may && wechat.available],
    ]
    const { timeZone } = await currentSettings(platform)
    const sender = may || policy.members ? await senderOf(db, viewer) : undefined
    return {
      may: sender !== undefined,
      everywhere: within === null,
      asMember: sender?.asMember ?? false,
      approves: may ? await countPending(db, viewer, within) : 0,
      approveAbove: may ? policy.approveAbove : null,
      maxRecipients: sender?.maxRecipients ?? null,
      kinds: [...(sender?.kinds ?? [])],
      hours: policy.hours,
      held: policy.held,
      channels: channels.flatMap(([channel, isSetUp]) => (isSetUp ? [channel] : [])),
      timeZone,
    }
  },

  async preview({ platform, db, viewer, body: { channels, kind, needs, ...body } }) {
    const sender = await senderOf(db, viewer)
    const { recipients, declined, closed } = await hearing(
      platform,
      sender,
      viewer,
      body.recipients,
      channels,
    )
    const shown = await previewRecipients(
      db,
      recipients,
      channels,
      sender.within,
      kindOf(sender, kind),
      needs,
    )
    const left = [
      { reason: 'declined' as const, names: declined },
      { reason: 'closedGroup' as const, names: closed },
    ].flatMap(({ reason, names }) =>
      names.length > 0 ? [{ reason, count: names.length, examples: names.slice(0, 5) }] : [],
    )
    return { ...shown, leftOut: [...shown.leftOut, ...left] }
  },

  async send({ platform, viewer, request, body }) {
    return recorded(platform, sending.send, viewer, request, async (db) => {
      const sender = await senderOf(db, viewer)
      const before = await findByKey(db, viewer.accountId, body.key)
      if (before) return { sendId: before.id, status: before.status }
      const { policy, within, asMember } = sender
      if ((await countSentInHour(db, viewer.accountId)) >= sender.maxPerHour)
        fail('message.sender_limit', { retryAfter: 600 })
      const kind = kindOf(sender, body.kind)
      const { sendTime, perMinute, format = 'text', variables } = body
      const wants = sendTime !== undefined || perMinute !== undefined || variables !== undefined
      if (asMember && (wants || format !== 'text')) fail('session.forbidden')
      const written = {
        title: body.title.trim(),
        title_en: body.titleEn?.trim() ?? '',
        content: body.content ?? '',
        content_en: body.contentEn ?? '',
      }
      const sendAt = await sendTimeOf(platform, body.test ? undefined : body.sendTime)
      await checkFiles(db, viewer, body.files ?? [])
      const { recipients } = body.test
        ? { recipients: [{ accountName: viewer.username }] }
        : await hearing(platform, sender, viewer, body.recipients, body.channels)
      const count = await countRecipients(db, recipients, body.test ? null : within)
      if (variables) await checkVariables(db, written, variables, recipients, within, body.test)
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
          ...written,
          format,
          variables: variables ? JSON.stringify(variables) : null,
          url: body.url ?? '',
          files: JSON.stringify(body.files ?? []),
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
      if (!inserted) return sentBefore(db, viewer, body.key)
      if (pending)
        await tellApprovers(db, approvers, { id: inserted.id, author, title: written.title })
      if (!body.test) await deleteDraft(db, viewer.accountId)
      await announce(db, { kind: 'sending', key: '' })
      return { sendId: inserted.id, status }
    })
  },

  async list({ db, viewer, query }) {
    await senderOf(db, viewer)
    const { pageNo, pageSize, offset } = pageOf(query)
    const [list, total] = await Promise.all([
      listSendings(db, viewer.accountId, pageSize, offset),
      countSendings(db, viewer.accountId),
    ])
    return { list, total, pageNo, pageSize }
  },

  async people({ platform, db, viewer, query: { keyWords } }) {
    const { within, asMember } = await senderOf(db, viewer)
    // Senders with the permission can reach everybody in their scope, so they can also find everybody there.
    const asked = asMember ? { exactly: true, found: await isFindable(platform, keyWords) } : {}
    return findPeople(db, within, keyWords, asked)
  },
  async organizations({ db, viewer, query }) {
    return findOrganizations(db, await withinOf(db, viewer), query)
  },
  async groups({ db, viewer, query: { keyWords } }) {
    return findGroups(db, await withinOf(db, viewer), keyWords)
  },
  async find({ db, viewer, body: { lines } }) {
    return findByLines(db, await withinOf(db, viewer), lines)
  },

  async draft({ db, viewer }) {
    await senderOf(db, viewer)
    return findDraft(db, viewer.accountId)
  },
  async saveDraft({ db, viewer, body }) {
    await senderOf(db, viewer)
    await saveDraft(db, viewer.accountId, body)
    return null
  },
  async deleteDraft({ db, viewer }) {
    await senderOf(db, viewer)
    await deleteDraft(db, viewer.accountId)
    return null
  },
  async copy({ db, viewer, query: { sendId } }) {
    const { within } = await senderOf(db, viewer)
    const found = (await findSending(db, viewer, within, sendId)) ?? fail('sending.not_found')
    if (!found.own) fail('sending.not_found')
    return draftOf(db, viewer, found)
  },
}

/** @throws request.invalid for a kind this sender may not use */
function kindOf({ kinds, asMember }: Sender, kind: (typeof kinds)[number] = 'notice'): Kind {
  if (asMember) return 'personal'
  if (!kinds.includes(kind)) fail('request.invalid', { fields: { kind: 'choice' } })
  return kind
}

async function sentBefore(db: Db, viewer: Member, key: string) {
  const sent = (await findByKey(db, viewer.accountId, key)) ?? fail('sending.not_found')
  return { sendId: sent.id, status: sent.status }
}

/** An earlier message as a new draft. Files its author no longer owns are left out. */
async function draftOf(db: Db, viewer: Member, found: FoundSending): Promise<SendingDraft> {
  const { title, titleEn, content, contentEn, url, kind, confirm, format } = found
  const variables = found.variables as Values | null
  const files = found.files as SendingDraft['files']
  const gone = await fileIssues(db, viewer, new Map(files.map(({ fileId }) => [fileId, fileId])))
  return {
    title,
    titleEn,
    content,
    contentEn,
    url,
    kind: shownKind(kind),
    format: format as SendingDraft['format'] & string,
    ...(variables && { variables }),
    confirm,
    files: files.filter(({ fileId }) => !(fileId in gone)),
    choices: found.choices as SendingDraft['choices'],
    channels: found.by as Channel[],
    recipients: await nameRecipients(db, found.chosen as Recipient[]),
  }
}

/**
 * Refuses texts with unfilled variables.
 * @throws request.invalid for an author variable without a value, sending.variables_missing if members lack one
 */
async function checkVariables(
  db: Db,
  written: Parameters<typeof usedIn>[0],
  variables: Values,
  recipients: readonly Recipient[],
  within: Within,
  test = false,
) {
  const { ofMembers, ofAuthor } = usedIn(written)
  const isGiven = (name: string) => Object.hasOwn(variables, name) && variables[name] !== ''
  const open = ofAuthor.filter((name) => !isGiven(name))
  if (open.length > 0)
    fail('request.invalid', {
      fields: Object.fromEntries(open.map((name) => [`variables.${name}`, 'required' as const])),
    })
  const needed = ofMembers.filter((name) => !isGiven(name))
  if ((await findLacking(db, recipients, test ? null : within, needed)).length > 0)
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
  let at: number
  try {
    at = local.toZonedDateTime(timeZone, { disambiguation: 'reject' }).epochMilliseconds
  } catch {
    return refuse('clockChange')
  }
  const now = Date.now()
  if (at <= now || at > now + maxDaysAhead * 86_400_000) return refuse('range')
  return new Date(at).toISOString()
}

/** @throws request.invalid naming the files the sender does not own */
async function checkFiles(db: Db, viewer: Member, files: readonly { fileId: string }[]) {
  const fields = await fileIssues(
    db,
    viewer,
    new Map(files.map(({ fileId }, at) => [fileId, `files.${at}.fileId`])),
  )
  if (Object.keys(fields).length > 0) fail('request.invalid', { fields })
}
