import type { Message, messages } from '@atrium/contract/work/messages'
import type { Rule } from '#platform/audience.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { pageSizeOf } from '#platform/http/paging.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { cleanRichText } from '#platform/text/rich-text.ts'
import {
  answerMessage,
  confirmMessage,
  deleteAppMessages,
  deleteMessages,
  markAllRead,
  markRead,
  restoreMessages,
  setStar,
  updateBox,
} from './changes.ts'
import {
  countUnread,
  findMessage,
  findReason,
  listApps,
  listAttachments,
  listKinds,
  listMessages,
  listUnreadByApp,
} from './queries.ts'
import { nameRule } from './reason.ts'
import { toSummary } from './summaries.ts'

async function change(
  db: Db,
  viewer: Member,
  appId: string,
  change: { topped?: boolean; muted?: boolean },
) {
  if (!(await updateBox(db, viewer.accountId, appId, change))) fail('message.app_not_found')
  return null
}

const refusals = {
  missing: 'message.not_found',
  'nothing asked': 'message.nothing_asked',
  'too late': 'message.too_late',
  answered: 'message.answered',
} as const
const orRefuse = <T extends object>(outcome: T | keyof typeof refusals): T =>
  typeof outcome === 'string' ? fail(refusals[outcome]) : outcome

export const messageHandlers: Handlers<typeof messages> = {
  apps: ({ db, viewer }) => listApps(db, viewer.accountId),
  unreadTotal: async ({ db, viewer }) => (await countUnread(db, viewer.accountId)).unread,
  unread: ({ db, viewer }) => countUnread(db, viewer.accountId),
  unreadByApp: ({ db, viewer }) => listUnreadByApp(db, viewer.accountId),

  list: ({ db, viewer, query }) =>
    listMessages(db, viewer.accountId, { ...query, pageSize: pageSizeOf(query) }),

  async read({ db, viewer, query: { id }, platform }) {
    const row = (await findMessage(db, viewer.accountId, id)) ?? fail('message.not_found')
    const attachments = await listAttachments(db, id)
    return {
      ...toSummary(row),
      // Sanitised when stored and again here, in case a writer bypassed that.
      content: cleanRichText(row.content),
      contentEn: cleanRichText(row.content_en),
      sender: row.sender,
      senderEn: row.sender_en,
      url: row.url,
      actions: row.actions as Message['actions'],
      choices: row.choices as Message['choices'],
      answer: row.answer,
      asksConfirmation: row.asks_confirmation,
      confirmedAt: row.confirmed_at,
      confirmUntil: row.confirm_until,
      validUntil: row.valid_until,
      attachments: attachments.map((file) => ({
        ...file,
        url: platform.files.address({ id: file.id, is_public: false }, file.name),
      })),
    }
  },

  async reason({ db, viewer, query: { id } }) {
    const row = (await findReason(db, viewer.accountId, id)) ?? fail('message.not_found')
    return {
      sender: row.appName,
      senderEn: row.appNameEn,
      typeCode: row.typeCode ?? 'general',
      typeName: row.typeName ?? '',
      typeNameEn: row.typeNameEn ?? '',
      chosenBy: row.rules === null ? 'name' : 'rule',
      rule: row.rules ? await nameRule(db, viewer, row.rules as unknown as readonly Rule[]) : null,
      appId: row.appId,
      disturbed: row.muted ?? false,
    }
  },

  markRead: async ({ db, viewer, body }) => ({
    changed: await markRead(db, viewer.accountId, body.ids),
  }),
  markAllRead: async ({ db, viewer, body }) => ({
    changed: await markAllRead(db, viewer.accountId, body.appId),
  }),

  async star({ db, viewer, body }) {
    const changed = await setStar(db, viewer.accountId, body.id, body.star)
    if (changed === undefined) fail('message.not_found')
    return { changed: changed ? 1 : 0 }
  },

  remove: ({ db, viewer, body }) => deleteMessages(db, viewer.accountId, body.ids),
  removeApp: ({ db, viewer, body }) => deleteAppMessages(db, viewer.accountId, body.appId),
  restore: async ({ db, viewer, body }) => ({
    changed: await restoreMessages(db, viewer.accountId, body.deletedAt),
  }),

  confirm: ({ platform, viewer, body }) =>
    platform.db
      .transaction()
      .execute(async (db) => orRefuse(await confirmMessage(db, viewer.accountId, body.id))),
  answer: ({ platform, viewer, body }) =>
    platform.db
      .transaction()
      .execute(async (db) =>
        orRefuse(await answerMessage(db, viewer.accountId, body.id, body.value)),
      ),

  top: ({ db, viewer, body }) => change(db, viewer, body.appId, { topped: true }),
  topCancel: ({ db, viewer, body }) => change(db, viewer, body.appId, { topped: false }),
  disturbed: ({ db, viewer, body }) => change(db, viewer, body.appId, { muted: body.disturbed }),

  kinds: ({ db, viewer, query }) => listKinds(db, viewer.accountId, query.appId),
}
