import { sql } from 'kysely'
import { sendMessage } from '#domains/work/messages/send.ts'
import type { Db } from '#platform/database/db.ts'
import { changeReceived } from './console-queries.ts'
import { feedbackMessages } from './messages.ts'

/** Characters of the feedback quoted in the message title. */
const titleLength = 30

/**
 * Answers feedback and its duplicates. Call in a transaction that has locked them.
 * @returns false if it was changed concurrently
 */
export async function answerFeedback(
  db: Db,
  answer: { id: string; revision: number; text: string; accountId: string },
): Promise<boolean> {
  const { id, text, accountId } = answer
  const set = sql`state = 'answered', answer = ${text}, answered_at = now()`
  if (!(await changeReceived(db, answer, set))) return false
  await sql`
    update feedback set revision = revision + 1, state = 'answered', answer = ${text}, answered_at = now()
    where merged_into_id = ${id}`.execute(db)
  await sql`
    insert into feedback_line (feedback_id, author, account_id, text)
    select id, 'department', ${accountId}::bigint, ${text} from feedback where id = ${id} or merged_into_id = ${id}`.execute(
    db,
  )
  await notifyAuthors(db, sql`id = ${id} or merged_into_id = ${id}`)
  return true
}

/** Copies an existing answer to a new duplicate. Call in a transaction that has locked both. */
export async function answerDuplicate(
  db: Db,
  { id, into, accountId }: { id: string; into: string; accountId: string },
) {
  const { rows } = await sql`
    update feedback set state = other.state, answer = other.answer, answered_at = other.answered_at
    from feedback other where feedback.id = ${id} and other.id = ${into} and other.answered_at is not null
    returning feedback.id`.execute(db)
  if (rows.length === 0) return
  await sql`
    insert into feedback_line (feedback_id, author, account_id, text)
    select ${id}::bigint, 'department', ${accountId}::bigint, answer from feedback where id = ${into}`.execute(
    db,
  )
  await notifyAuthors(db, sql`id = ${id}`)
}

async function notifyAuthors(db: Db, which: ReturnType<typeof sql>) {
  const { rows } = await sql<{ id: string; account_id: string; content: string }>`
    select id::text, account_id::text, content from feedback where ${which} limit 1000`.execute(db)
  for (const { id, account_id, content } of rows) {
    const letters = [...content.replaceAll(/\s+/g, ' ')]
    const title = `${letters.slice(0, titleLength).join('')}${letters.length > titleLength ? '…' : ''}`
    await sendMessage(db, {
      kind: feedbackMessages.kinds.answered,
      to: { accounts: [account_id] },
      title: { zh: `反馈已答复：${title}`, en: `Your feedback was answered: ${title}` },
      summary: {
        zh: '相关部门答复了你的反馈，可以继续补充或评价。',
        en: 'The department has answered. You can reply or rate the answer.',
      },
      url: `/pages/myInfo/suggestRecord?id=${id}`,
    })
  }
}
