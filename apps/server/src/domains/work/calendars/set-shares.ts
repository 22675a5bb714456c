import { sql } from 'kysely'
import { sendMessage } from '#domains/work/messages/send.ts'
import type { Db } from '#platform/database/db.ts'
import { announce } from '#platform/database/topics.ts'
import { fail, type IssueKind } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { calendarMessages } from './messages.ts'

/**
 * Replaces the shares of a calendar and notifies those added. Call in a transaction.
 * @param field name of the field in a refusal
 * @throws request.invalid
 */
export async function setShares(
  db: Db,
  viewer: Pick<Member, 'accountId' | 'name' | 'nameEn'>,
  name: string,
  id: string,
  shares: readonly { accountName: string; access: string }[],
  field = 'shares',
) {
  const names = shares.map(({ accountName }) => accountName.toLowerCase())
  const accounts = await db
    .selectFrom('account')
    .select(['id', 'username'])
    .where('username', '=', sql<string>`any(${names}::text[])`)
    .where('status', '<>', 'disabled')
    .execute()
  const byName = new Map(accounts.map((account) => [account.username, account.id]))
  const fields: Record<string, IssueKind> = {}
  for (const [index, accountName] of names.entries()) {
    const account = byName.get(accountName)
    if (!account) fields[`${field}.${index}`] = 'unknown'
    else if (account === viewer.accountId) fields[`${field}.${index}`] = 'choice'
    else if (names.indexOf(accountName) < index) fields[`${field}.${index}`] = 'twice'
  }
  if (Object.keys(fields).length > 0) fail('request.invalid', { fields })
  const ids = names.map((accountName) => byName.get(accountName) ?? '')
  await sql`delete from calendar_share where calendar_id = ${id} and account_id <> all(${ids}::bigint[])`.execute(
    db,
  )
  const { rows } = await sql<{ account_id: string; added: boolean }>`
    insert into calendar_share (calendar_id, account_id, access)
    select ${id}::bigint, given.id, given.access
    from unnest(${ids}::bigint[], ${shares.map(({ access }) => access)}::text[]) as given (id, access)
    on conflict (account_id, calendar_id) do update set access = excluded.access
    returning account_id, xmax = 0 as added`.execute(db)
  const added = rows.flatMap((row) => (row.added ? row.account_id : []))
  if (added.length === 0) return
  await sendMessage(db, {
    kind: calendarMessages.kinds.shared,
    to: { accounts: added },
    title: {
      zh: `${viewer.name} 与你共享了日历：${name}`,
      en: `${viewer.nameEn || viewer.name} shared a calendar with you: ${name}`,
    },
    url: `/pages/shedul/calendarDetail?id=${id}`,
  })
  await announce(db, { kind: 'inbox', key: added.join(',') })
}
