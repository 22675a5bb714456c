import type { desk } from '@atrium/contract/discovery/desk'
import {
  countLines,
  findDialog,
  insertDialog,
  insertLine,
  isAtDesk,
  listLines,
  lockDialog,
  maxDeskLines,
  maxLinesPerMinute,
  setDialogState,
} from '#domains/discovery/robot/queries.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { isOpen } from './hours.ts'
import { notifyAgents, notifyMembers } from './notify.ts'
import {
  assignCase,
  claimCase,
  closeCase,
  deletePhrase,
  findCase,
  insertPhrase,
  listCases,
  listDesks,
  listOwnDesks,
  listPhrases,
  queueCase,
} from './queries.ts'

const maxPhrases = 200
const titleLength = 60
/** Lines that must be left in a dialog when a desk is requested. */
const minLinesLeft = 200

/** Read by the member and by agents, so they address neither. */
const notes = {
  queued: {
    zh: (name: string) => `已转给${name}，之前的对话一并转交。回复也会以消息通知。`,
    en: (name: string) =>
      `Handed over to ${name} with everything said so far. The answer also comes as a message.`,
  },
  closed: {
    zh: (name: string) => `${name}现在不在服务时间，问题已记下，上班后会以消息回复。`,
    en: (name: string) =>
      `${name} is closed now. The question is saved and will be answered by message when it opens.`,
  },
  taken: { zh: '人工客服已接入', en: 'The service desk has joined' },
  handed: { zh: '对话已转给其他同事', en: 'A colleague has taken over' },
  ended: { zh: '人工服务已结束', en: 'The service desk has ended the conversation' },
  left: { zh: '咨询人结束了人工服务', en: 'The member has ended the conversation' },
} as const

/** Adds a note, shown to both sides in their own language. */
const note = (db: Db, dialogId: string, { zh, en }: { zh: string; en: string }) =>
  insertLine(db, dialogId, { author: 'note', text: zh, textEn: en })

async function getCase(db: Db, viewer: Member, dialogId: string) {
  return (await findCase(db, viewer.accountId, dialogId)) ?? fail('desk.case_not_found')
}
/** @throws desk.not_yours */
async function getActiveCase(db: Db, viewer: Member, dialogId: string) {
  const deskCase = await getCase(db, viewer, dialogId)
  return deskCase.state === 'agent' && deskCase.mine ? deskCase : fail('desk.not_yours')
}
const readCase = async (db: Db, viewer: Member, dialogId: string) => ({
  case: await getCase(db, viewer, dialogId),
  lines: await listLines(db, dialogId),
})
async function ownDesk(db: Db, viewer: Member, id: string) {
  const [row] = await listOwnDesks(db, viewer.accountId, id)
  return row ?? fail('desk.not_found')
}

export const deskHandlers: Handlers<typeof desk> = {
  async request({ platform, viewer, body }) {
    const { timeZone } = await currentSettings(platform)
    return platform.db.transaction().execute(async (db) => {
      if (body.dialogId) await lockDialog(db, body.dialogId)
      const [target] = await listDesks(db, viewer, body.deskId)
      const { id: deskId, name, nameEn, hours } = target ?? fail('desk.not_found')
      const question = body.question?.trim()
      if (!body.dialogId && !question) fail('request.invalid', { fields: { question: 'required' } })
      const existing = body.dialogId
        ? ((await findDialog(db, viewer.accountId, body.dialogId)) ??
          fail('robot.dialog_not_found'))
        : undefined
      if (existing && isAtDesk(existing)) fail('desk.already_there')
      const { lately, inDialog } = await countLines(db, viewer.accountId, body.dialogId)
      if (lately >= maxLinesPerMinute) fail('request.too_many', { retryAfter: 60 })
      if (inDialog > maxDeskLines - minLinesLeft) fail('robot.dialog_full')
      const { id, title } =
        existing ??
        (await insertDialog(
          db,
          viewer.accountId,
          [...(question ?? '')].slice(0, titleLength).join(''),
        ))
      const questionLine = question
        ? await insertLine(db, id, { author: 'member', text: question })
        : undefined
      await queueCase(db, id, deskId)
      await setDialogState(db, id, 'waiting')
      const texts = notes[isOpen(hours, timeZone) ? 'queued' : 'closed']
      const line = await note(db, id, { zh: texts.zh(name), en: texts.en(nameEn || name) })
      await notifyAgents(db, deskId, { id, title })
      const dialog = (await findDialog(db, viewer.accountId, id)) ?? fail('robot.dialog_not_found')
      return { dialog, question: questionLine ?? line, answer: questionLine ? line : null }
    })
  },

  end: ({ platform, viewer, body: { dialogId } }) =>
    platform.db.transaction().execute(async (db) => {
      await lockDialog(db, dialogId)
      const getDialog = async () =>
        (await findDialog(db, viewer.accountId, dialogId)) ?? fail('robot.dialog_not_found')
      if (isAtDesk(await getDialog())) {
        await closeCase(db, dialogId)
        await setDialogState(db, dialogId, 'closed')
        await note(db, dialogId, notes.left)
      }
      return getDialog()
    }),

  async desks({ platform, db, viewer }) {
    const { timeZone } = await currentSettings(platform)
    const list = await listOwnDesks(db, viewer.accountId)
    return list.map(({ hours, ...one }) => ({ ...one, open: isOpen(hours, timeZone) }))
  },

  queue: ({ db, viewer, query }) => listCases(db, viewer.accountId, query),

  read: ({ db, viewer, query: { dialogId } }) => readCase(db, viewer, dialogId),

  take: ({ platform, viewer, body: { dialogId } }) =>
    platform.db.transaction().execute(async (db) => {
      await lockDialog(db, dialogId)
      await getCase(db, viewer, dialogId)
      if (!(await claimCase(db, dialogId, viewer.accountId))) fail('desk.taken')
      await setDialogState(db, dialogId, 'agent')
      await note(db, dialogId, notes.taken)
      return readCase(db, viewer, dialogId)
    }),

  reply: ({ platform, viewer, body: { dialogId, text } }) =>
    platform.db.transaction().execute(async (db) => {
      await lockDialog(db, dialogId)
      await getActiveCase(db, viewer, dialogId)
      await insertLine(db, dialogId, {
        author: 'agent',
        text: text.trim(),
        agentAccountId: viewer.accountId,
      })
      await notifyMembers(db, dialogId)
      return readCase(db, viewer, dialogId)
    }),

  handOver: ({ platform, viewer, body: { dialogId, agentId, deskId } }) =>
    platform.db.transaction().execute(async (db) => {
      await lockDialog(db, dialogId)
      const deskCase = await getCase(db, viewer, dialogId)
      // Any agent of the desk may hand over, e.g. for a colleague who has left.
      if (deskCase.state === 'closed') fail('desk.not_yours')
      if ((agentId === undefined) === (deskId === undefined))
        fail('request.invalid', { fields: { agentId: 'required' } })
      if (agentId !== undefined) {
        const { agents } = await ownDesk(db, viewer, deskCase.deskId)
        if (!agents.some(({ id }) => id === agentId))
          fail('request.invalid', { fields: { agentId: 'unknown' } })
        await assignCase(db, dialogId, agentId)
        await setDialogState(db, dialogId, 'agent')
      } else {
        const targetDesk = await db
          .selectFrom('desk')
          .select('id')
          .where('id', '=', deskId ?? '0')
          .where('online', '=', true)
          .executeTakeFirst()
        if (!targetDesk) fail('desk.not_found')
        await queueCase(db, dialogId, targetDesk.id)
        await setDialogState(db, dialogId, 'waiting')
        await notifyAgents(db, targetDesk.id, { id: dialogId, title: deskCase.title })
      }
      await note(db, dialogId, notes.handed)
      return null
    }),

  close: ({ platform, viewer, body: { dialogId } }) =>
    platform.db.transaction().execute(async (db) => {
      await lockDialog(db, dialogId)
      await getActiveCase(db, viewer, dialogId)
      await closeCase(db, dialogId)
      await setDialogState(db, dialogId, 'closed')
      await note(db, dialogId, notes.ended)
      return readCase(db, viewer, dialogId)
    }),

  async phrases({ db, viewer, query: { deskId } }) {
    await ownDesk(db, viewer, deskId)
    return listPhrases(db, deskId)
  },

  async addPhrase({ db, viewer, body: { deskId, title, text } }) {
    await ownDesk(db, viewer, deskId)
    if ((await listPhrases(db, deskId)).length >= maxPhrases) fail('desk.too_many_phrases')
    await insertPhrase(db, deskId, title.trim(), text.trim())
    return listPhrases(db, deskId)
  },

  async removePhrase({ db, viewer, params: { id } }) {
    if (!(await deletePhrase(db, viewer.accountId, id))) fail('desk.not_found')
    return null
  },
}
