import type { letterConsole, letters } from '@atrium/contract/content/mailbox'
import type { Static } from '@atrium/contract/define'
import { getOperatedOrganization } from '#domains/content/editorial/columns.ts'
import { sendMessage } from '#domains/work/messages/send.ts'
import { audienceFor } from '#platform/audience.ts'
import { checkedAudience } from '#platform/checked-audience.ts'
import type { Db } from '#platform/database/db.ts'
import { invalidate } from '#platform/database/topics.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { inDepartment } from '#platform/operated-department.ts'
import type { Platform } from '#platform/platform.ts'
import { letterMessages } from './messages.ts'
import {
  countRecent,
  deleteEmptyMailbox,
  deleteUnanswered,
  findByKey,
  findMailbox,
  insertLetter,
  insertMailbox,
  listMailboxes,
  listOwnLetters,
  listOwnMailboxes,
  listPublished,
  listReceived,
  type MailboxValues,
  updateAnswer,
  updateMailbox,
  updatePublished,
} from './queries.ts'

/** Limits per person. */
const maxInHour = 5
const maxInDay = 20

export const letterHandlers: Handlers<typeof letters> = {
  mailboxes: ({ db, viewer }) => listMailboxes(db, viewer),
  own: ({ db, viewer, query }) => listOwnLetters(db, viewer.accountId, query),

  send: ({ platform, viewer, body }) =>
    platform.db.transaction().execute(async (db) => {
      const { accountId, personId } = viewer
      const recent = await countRecent(db, personId)
      // First of all: a retry must get its letter, though the mailbox has been closed since.
      const before = body.key && (await findByKey(db, accountId, body.key))
      if (before) return before
      const mailbox =
        (await findMailbox(db, viewer, body.mailboxId)) ?? fail('letter.mailbox_not_found')
      if (!mailbox.open) fail('letter.mailbox_closed')
      if (recent.hour >= maxInHour || recent.day >= maxInDay)
        fail('request.too_many', { retryAfter: 3600 })
      const { title, content } = body
      const id = await insertLetter(db, {
        ...body,
        accountId,
        title: title.trim(),
        content: content.trim(),
      })
      const { list } = await listOwnLetters(db, accountId, {}, id)
      return list[0] ?? fail('letter.not_found')
    }),

  async takeBack({ db, viewer, params: { id } }) {
    const { list } = await listOwnLetters(db, viewer.accountId, {}, id)
    if (list.length === 0) fail('letter.not_found')
    if (!(await deleteUnanswered(db, viewer.accountId, id))) fail('letter.answered')
    return null
  },

  published: ({ db, viewer, query }) => listPublished(db, viewer, query),
}

type MailboxBody = Static<typeof letterConsole.createMailbox.body>

async function mailboxValues(db: Db, viewer: Member, body: MailboxBody): Promise<MailboxValues> {
  const place = await getOperatedOrganization(db, viewer, 'messages', body.organization)
  return {
    name: body.name.trim(),
    name_en: body.nameEn.trim(),
    description: body.description.trim(),
    description_en: body.descriptionEn.trim(),
    organization_id: place?.id ?? null,
    audience_id: await audienceFor(db, await checkedAudience(db, body.audience)),
    open: body.open,
    position: body.position,
  }
}

async function getOwnMailbox(db: Db, viewer: Member, id: string) {
  const [mailbox] = await listOwnMailboxes(db, viewer, id)
  return mailbox ?? fail('letter.mailbox_not_found')
}

async function getReceived(db: Db, viewer: Member, id: string) {
  const { list } = await listReceived(db, viewer, {}, id)
  return list[0] ?? fail('letter.not_found')
}

/** Runs a change that affects members' lists, and invalidates them. */
function change<T>(platform: Platform, work: (db: Db) => Promise<T>): Promise<T> {
  return platform.db.transaction().execute(async (db) => {
    const made = await work(db)
    await invalidate(db, 'letters')
    return made
  })
}

const toReceived = ({
  accountId: _accountId,
  ...letter
}: Awaited<ReturnType<typeof listReceived>>['list'][number]) => letter

export const letterConsoleHandlers: Handlers<typeof letterConsole> = {
  mailboxes: ({ db, viewer }) => listOwnMailboxes(db, viewer),

  createMailbox: ({ platform, viewer, body }) =>
    change(platform, async (db) => {
      const id = await insertMailbox(db, await mailboxValues(db, viewer, body))
      return getOwnMailbox(db, viewer, id)
    }),

  updateMailbox: ({ platform, viewer, params: { id }, body }) =>
    change(platform, async (db) => {
      await getOwnMailbox(db, viewer, id)
      const values = await mailboxValues(db, viewer, body)
      if (!(await updateMailbox(db, id, body.revision, values))) fail('letter.changed_meanwhile')
      return getOwnMailbox(db, viewer, id)
    }),

  removeMailbox: ({ platform, viewer, params: { id } }) =>
    change(platform, async (db) => {
      await getOwnMailbox(db, viewer, id)
      if (!(await deleteEmptyMailbox(db, id))) fail('letter.mailbox_in_use')
      return null
    }),

  async list({ db, viewer, query: { department, ...filter } }) {
    const operator = await inDepartment(db, viewer, department)
    const { list, nextCursor } = await listReceived(db, operator, filter)
    return { list: list.map(toReceived), nextCursor }
  },

  answer: ({ platform, viewer, params: { id }, body }) =>
    change(platform, async (db) => {
      const before = await getReceived(db, viewer, id)
      const { revision } = body
      const answer = body.answer.trim()
      if (!(await updateAnswer(db, { id, revision, answer, accountId: viewer.accountId })))
        fail('letter.changed_meanwhile')
      if (before.answeredAt === null)
        await sendMessage(db, {
          kind: letterMessages.kinds.answered,
          to: { accounts: [before.accountId] },
          title: {
            zh: `来信已答复：${before.title}`,
            en: `Your letter was answered: ${before.title}`,
          },
          summary: {
            zh: '相关部门已答复你的来信。',
            en: 'The department has answered your letter.',
          },
          url: '/msgCenter/pages/news/throughTrain',
        })
      return toReceived(await getReceived(db, viewer, id))
    }),

  publish: ({ platform, viewer, params: { id }, body: { revision, published } }) =>
    change(platform, async (db) => {
      const letter = await getReceived(db, viewer, id)
      if (published && (letter.answeredAt === null || !letter.mayPublish))
        fail('letter.not_publishable')
      if (!(await updatePublished(db, { id, revision, published })))
        fail('letter.changed_meanwhile')
      return toReceived(await getReceived(db, viewer, id))
    }),
}
