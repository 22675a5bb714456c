import { sendMessage } from '#domains/work/messages/send.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { knowledgeMessages } from './messages.ts'
import { deleteOldUse, listDueReviews } from './queries.ts'

const maxQuestions = 20

/** Notifies owners of the answers they have to review today, once. */
export async function notifyDueReviews(platform: Platform) {
  const { timeZone } = await currentSettings(platform)
  const day = Temporal.Now.plainDateISO(timeZone).toString()
  await platform.db.transaction().execute(async (db) => {
    await deleteOldUse(db)
    for (const { accountId, questions } of await listDueReviews(db, day)) {
      if (accountId === null) continue
      const summary = questions.slice(0, maxQuestions).join('\n')
      await sendMessage(db, {
        kind: knowledgeMessages.kinds.review,
        to: { accounts: [accountId] },
        title: {
          zh: `有 ${questions.length} 条问答今天需要复核`,
          en: `${questions.length} answers are due for review today`,
        },
        summary: { zh: summary, en: summary },
        source: { code: 'knowledge-review', key: `${accountId}:${day}` },
      })
    }
  })
}
