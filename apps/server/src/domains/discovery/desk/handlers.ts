import type { desk } from '@atrium/contract/discovery/desk'
import {
  countLines,
  findDialog,
  insertDialog,
  insertLine,
  listLines,
  maxLately,
  setDialogState,
} from '#domains/discovery/robot/queries.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { isOpen } from './hours.ts'
import {
  closeCase,
  deletePhrase,
  findCase,
  giveCase,
  insertPhrase,
  listCases,
  listDesks,
  listOwnDesks,
  listPhrases,
  queueCase,
  takeCase,
} from './queries.ts'
import { tellAgents, tellMembers } from './tell.ts'

const maxPhrases = 200
const titleLength = 60

const notes = {
  queued: {
    zh: (name: string) =>
      `已转给${name}，之前的对话会一起转过去。可以先离开，回复会发到你的消息里。`,
    en: (name: string) =>
      `${name} has your conversation with everything said so far. You may leave: an answer comes as a message.`,
  },
  closed: {
    zh: (name: string) =>
      `${name}现在不在服务时间，已记下你的问题，上班后回复，回复会发到你的消息里。`,
    en: (name: string) =>
      `${name} is closed now. Your question is kept and answered when it opens; the answer comes as a message.`,
  },
  taken: { zh: '人工客服已接入', en: 'Somebody of the service desk is here' },
  handed: { zh: '对话已转给其他同事', en: 'A colleague has taken over' },
  ended: { zh: '人工服务已结束', en: 'The service desk has ended the conversation' },
  left: { zh: '咨询人结束了人工服务', en: 'The member has ended the conversation' },
} as const

/** Adds a note, shown to both sides in their own language. */
const note = (db: Db, dialogId: string, { zh, en }: { zh: string; en: string }) =>
  insertLine(db, dialogId, { author: 'note', text: zh, textEn: en })

async function ownCase(db: Db, viewer: Member, dialogId: string) {
  return (await findCase(db, viewer.accountId, dialogId)) ?? fail('desk.case_not_found')
}
/** @throws desk.not_yours */
async function caseInHand(db: Db, viewer: Member, dialogId: string) {
  const found = await ownCase(db, viewer, dialogId)
  return found.state === 'agent' && found.mine ? found : fail('desk.not_yours')
}
const view = async (db: Db, viewer: Member, dialogId: string) => ({
  case: await ownCase(db, viewer, dialogId),
  lines: await listLines(db, dialogId),
})
async function ownDesk(db: Db, viewer: Member, id: string) {
  const [found] = await listOwnDesks(db, viewer.accountId, id)
  return found ?? fail('desk.not_found')
}

export const deskHandlers: Handlers<typeof desk> = {
  async request({ platform, viewer, body }) {
    const { timeZone } = await currentSettings(platform)
    return platform.db.transaction().execute(async (db) => {
      const [wanted] = await listDesks(db, viewer, body.deskId)
      const { id: deskId, name, nameEn, hours } = wanted ?? fail('desk.not_found')
      const question = body.question?.trim()
      if (!body.dialogId && !question) fail('request.invalid', { fields: { question: 'required' } })
      const { lately } = await countLines(db, viewer.accountId, body.dialogId)
      if (lately >= maxLately) fail('request.too_many', { retryAfter: 60 })
      const before = body.dialogId
        ? ((await findDialog(db, viewer.accountId, body.dialogId)) ??
          fail('robot.dialog_not_found'))
        : await insertDialog(
            db,
            viewer.accountId,
            [...(question ?? '')].slice(0, titleLength).join(''),
          )
      if (before.state === 'waiting' || before.state === 'agent') fail('desk.already_there')
      const said = question
        ? await insertLine(db, before.id, { author: 'member', text: question })
        : undefined
      await queueCase(db, before.id, deskId)
      await setDialogState(db, before.id, 'waiting')
      const words = notes[isOpen(hours, timeZone) ? 'queued' : 'closed']
      const line = await note(db, before.id, { zh: words.zh(name), en: words.en(nameEn || name) })
      await tellAgents(db, deskId, before)
      const dialog = (await findDialog(db, viewer.accountId, before.id)) ?? before
      return { dialog, question: said ?? line, answer: said ? line : null }
    })
  },

  end: ({ platform, viewer, body: { dialogId } }) =>
    platform.db.transaction().execute(async (db) => {
      const own = async () =>
        (await findDialog(db, viewer.accountId, dialogId)) ?? fail('robot.dialog_not_found')
      const { state } = await own()
      if (state === 'waiting' || state === 'agent') {
        await closeCase(db, dialogId)
        await setDialogState(db, dialogId, 'closed')
        await note(db, dialogId, notes.left)
      }
      return own()
    }),

  async desks({ platform, db, viewer }) {
    const { timeZone } = await currentSettings(platform)
    const list = await listOwnDesks(db, viewer.accountId)
    return list.map(({ hours, ...one }) => ({ ...one, open: isOpen(hours, timeZone) }))
  },

  queue: ({ db, viewer, query }) => listCases(db, viewer.accountId, query),

  read: ({ db, viewer, query: { dialogId } }) => view(db, viewer, dialogId),

  take: ({ platform, viewer, body: { dialogId } }) =>
    platform.db.transaction().execute(async (db) => {
      await ownCase(db, viewer, dialogId)
      if (!(await takeCase(db, dialogId, viewer.accountId))) fail('desk.taken')
      await setDialogState(db, dialogId, 'agent')
      await note(db, dialogId, notes.taken)
      return view(db, viewer, dialogId)
    }),

  reply: ({ platform, viewer, body: { dialogId, text } }) =>
    platform.db.transaction().execute(async (db) => {
      await caseInHand(db, viewer, dialogId)
      await insertLine(db, dialogId, {
        author: 'agent',
        text: text.trim(),
        agentAccountId: viewer.accountId,
      })
      await tellMembers(db, dialogId)
      return view(db, viewer, dialogId)
    }),

  handOver: ({ platform, viewer, body: { dialogId, agentId, deskId } }) =>
    platform.db.transaction().execute(async (db) => {
      const found = await ownCase(db, viewer, dialogId)
      // Any agent of the desk may hand over, e.g. for a colleague who has left.
      if (found.state === 'closed') fail('desk.not_yours')
      if ((agentId === undefined) === (deskId === undefined))
        fail('request.invalid', { fields: { agentId: 'required' } })
      if (agentId !== undefined) {
        const { agents } = await ownDesk(db, viewer, found.deskId)
        if (!agents.some(({ id }) => id === agentId))
          fail('request.invalid', { fields: { agentId: 'unknown' } })
        await giveCase(db, dialogId, agentId)
        await setDialogState(db, dialogId, 'agent')
      } else {
        const other = await db
          .selectFrom('desk')
          .select('id')
          .where('id', '=', deskId ?? '0')
          .where('online', '=', true)
          .executeTakeFirst()
        if (!other) fail('desk.not_found')
        await queueCase(db, dialogId, other.id)
        await setDialogState(db, dialogId, 'waiting')
        await tellAgents(db, other.id, { id: dialogId, title: found.title })
      }
      await note(db, dialogId, notes.handed)
      return null
    }),

  close: ({ platform, viewer, body: { dialogId } }) =>
    platform.db.transaction().execute(async (db) => {
      await caseInHand(db, viewer, dialogId)
      await closeCase(db, dialogId)
      await setDialogState(db, dialogId, 'closed')
      await note(db, dialogId, notes.ended)
      return view(db, viewer, dialogId)
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
