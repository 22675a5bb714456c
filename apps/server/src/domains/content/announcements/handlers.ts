import type { announcementConsole, announcements } from '@atrium/contract/content/announcements'
import { sendMessage } from '#domains/work/messages/send.ts'
import type { Rule } from '#platform/audience.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { announcementMessages } from './messages.ts'
import {
  countReaders,
  findConfirmation,
  findOwnAnnouncement,
  insertConfirmation,
  listWaitingReaders,
  markReminded,
} from './queries.ts'
import { groupSmallOrganizations } from './rules.ts'

async function readConfirmation(db: Db, viewer: Member, id: string) {
  const announcement = (await findConfirmation(db, viewer, id)) ?? fail('news.not_found')
  if (!announcement.needsConfirmation) fail('announcement.not_asked')
  return { confirmedAt: announcement.confirmedAt }
}

export const announcementHandlers: Handlers<typeof announcements> = {
  reading: ({ db, viewer, params }) => readConfirmation(db, viewer, params.id),

  confirm: ({ platform, viewer, params: { id } }) =>
    platform.db.transaction().execute(async (db) => {
      const { confirmedAt } = await readConfirmation(db, viewer, id)
      if (confirmedAt === null) await insertConfirmation(db, id, viewer.accountId)
      return readConfirmation(db, viewer, id)
    }),
}

async function getOwnAnnouncement(db: Db, viewer: Member, id: string) {
  const { rules, needsConfirmation, ...article } =
    (await findOwnAnnouncement(db, viewer, id)) ?? fail('news.not_found')
  if (!needsConfirmation) fail('announcement.not_asked')
  return { ...article, rules: rules as unknown as Rule[] }
}

export const announcementConsoleHandlers: Handlers<typeof announcementConsole> = {
  async statistics({ db, viewer, params: { id } }) {
    const { rules, remindedAt } = await getOwnAnnouncement(db, viewer, id)
    const counts = await countReaders(db, id, rules)
    return {
      confirmed: counts.reduce((sum, { confirmed }) => sum + confirmed, 0),
      waiting: counts.reduce((sum, { waiting }) => sum + waiting, 0),
      ...groupSmallOrganizations(counts),
      remindedAt,
    }
  },

  remind: ({ platform, viewer, params: { id } }) =>
    platform.db.transaction().execute(async (db) => {
      const { rules, ...article } = await getOwnAnnouncement(db, viewer, id)
      if (!(await markReminded(db, id)))
        fail('announcement.reminded_before', { retryAfter: 86_400 })
      const accounts = await listWaitingReaders(db, id, rules)
      await sendMessage(db, {
        kind: announcementMessages.kinds.reminder,
        to: { accounts },
        title: { zh: `请确认阅读：${article.title}`, en: `Please confirm: ${article.title}` },
        summary: {
          zh: '这条公告需要你确认阅读。',
          en: 'Please confirm that you have read this announcement.',
        },
        url: `/pagesA/news/detail?id=${article.id}`,
      })
      return { reminded: accounts.length }
    }),
}
