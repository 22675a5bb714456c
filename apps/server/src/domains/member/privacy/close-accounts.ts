import { sql } from 'kysely'
import { revokePerson } from '#domains/identity/identity/revoke-person.ts'
import { writeAudit } from '#platform/audit.ts'
import { type Db, sqlState } from '#platform/database/db.ts'
import { announce, invalidate } from '#platform/database/topics.ts'
import { belongsTo, listPersonalTables, type Owner } from '#platform/personal-data.ts'
import type { Platform } from '#platform/platform.ts'
import { ownerOf } from './export.ts'
import { isOperatorPerson } from './queries.ts'

/**
 * Closes every account whose waiting period is over, with one transaction per person. Those that fail are logged and
 * retried by the next run.
 */
export async function closeAccounts(platform: Platform): Promise<void> {
  let last = '0'
  for (;;) {
    const due = await platform.db
      .selectFrom('account_closing')
      .innerJoin('account', 'account.id', 'account_closing.account_id')
      .select(['account_closing.id', 'account.username'])
      .where('account_closing.id', '>', last)
      .where('account_closing.status', '=', 'waiting')
      .where('account_closing.due_at', '<=', sql<string>`now()`)
      // Somebody who became an operator since is skipped until their permissions are removed.
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('operator_grant')
              .innerJoin('account as own', 'own.id', 'operator_grant.account_id')
              .select('own.id')
              .whereRef('own.person_id', '=', 'account_closing.person_id'),
          ),
        ),
      )
      .orderBy('account_closing.id')
      .limit(1)
      .executeTakeFirst()
    if (!due) return
    last = due.id
    await closePerson(platform, due).catch((error) => {
      platform.log.error({ err: error, closing: due.id }, 'an account could not be closed')
    })
  }
}

/** Deletes or anonymises everything about a person, except what the institution must retain. */
async function closePerson(platform: Platform, due: { id: string; username: string }) {
  const orphans = await platform.db.transaction().execute(async (db) => {
    // Recorded use is spread over many partitions, so this may exceed the usual statement timeout.
    await sql`set local statement_timeout = 0`.execute(db)
    const closing = await db
      .updateTable('account_closing')
      .set({ status: 'done', decided_at: sql`now()`, reason: '' })
      .where('id', '=', due.id)
      .where('status', '=', 'waiting')
      .returning('person_id as personId')
      .executeTakeFirst()
    // Withdrawn, refused or closed concurrently.
    if (!closing) return []
    if (await isOperatorPerson(db, closing.personId))
      throw new Error('an operator’s account is not closed')
    const owner = await ownerOf(db, closing.personId)
    const files = await filesOf(db, closing.personId)
    await revokePerson(db, closing.personId)
    await erasePersonalData(db, owner)
    for (const accountId of owner.accountIds)
      await announce(db, { kind: 'account', key: accountId })
    await invalidate(db, 'directory')
    await writeAudit(db, {
      channel: 'job',
      operator: 'privacy-close',
      action: 'close account',
      details: { closing: due.id, username: due.username },
    })
    return files
  })
  for (const id of orphans)
    await platform.files.remove(platform.db, id).catch((error) => {
      // Another person has an identical picture: the file stays.
      if (sqlState(error) !== '23503') throw error
    })
}

async function erasePersonalData(db: Db, owner: Owner) {
  const { mobile, email } = await db
    .selectFrom('person')
    .select(['mobile', 'email'])
    .where('id', '=', owner.personId)
    .executeTakeFirstOrThrow()
  const sentTo = [mobile, email].filter(Boolean)
  await db
    .deleteFrom('outbox')
    .where('recipient', '=', sql<string>`any(${sentTo}::text[])`)
    .execute()
  await db
    .deleteFrom('member_block')
    .where('blocked_account_id', '=', sql<string>`any(${owner.accountIds as string[]}::bigint[])`)
    .execute()
  // Referenced tables come last.
  for (const [table, about] of listPersonalTables().reverse()) {
    if (about.closing === 'delete')
      await sql`delete from ${sql.table(table)} where ${belongsTo(owner, about, table)}`.execute(db)
    else if ('anonymise' in about.closing) await about.closing.anonymise(owner).execute(db)
  }
}

const filesOf = async (db: Db, personId: string): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select portrait_file_id::text as id from person where id = ${personId} and portrait_file_id is not null
    union
    select file_id::text from personal_export where person_id = ${personId} and file_id is not null`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}
