import type { organizationHeads } from '@atrium/contract/identity/heads.operator'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { invalidate } from '#platform/database/topics.ts'
import { fail } from '#platform/http/errors.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { mayOperate } from '#platform/permissions.ts'

/** Account ids of organisation heads, by organisation code. */
export async function findHeads(db: Db, codes: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ code: string; ids: string[] }>`
    select organization.code, array_agg(head.account_id::text order by head.account_id) as ids
    from organization_head head join organization on organization.id = head.organization_id
    where organization.code = any(${codes as string[]}::text[]) group by organization.code`.execute(
    db,
  )
  return new Map(rows.map(({ code, ids }) => [code, ids]))
}

async function listHeads(db: Db, code?: string) {
  const { rows } = await sql<{
    organization: string
    name: string
    path: string[]
    heads: string[]
  }>`
    select organization.code as organization, organization.name, organization.path,
      coalesce(array_agg(account.username order by account.username) filter (where account.id is not null), '{}') as heads
    from organization
    left join organization_head head on head.organization_id = organization.id
    left join account on account.id = head.account_id
    where ${code === undefined ? sql`head.account_id is not null` : sql`organization.code = ${code}`}
    group by organization.id order by organization.code limit 5000`.execute(db)
  return rows
}

/**
 * Sets the heads of an organisation. Call in a transaction.
 * @param isOperated whether the caller may operate an organisation with this path
 * @throws request.invalid
 */
export async function setHeads(
  db: Db,
  code: string,
  usernames: readonly string[],
  isOperated: (path: readonly string[]) => boolean = () => true,
) {
  const organization = await db
    .selectFrom('organization')
    .select(['id', 'path'])
    .where('code', '=', code)
    .executeTakeFirst()
  if (!organization || !isOperated(organization.path))
    fail('request.invalid', { fields: { organization: 'unknown' } })
  const names = usernames.map((name) => name.toLowerCase())
  const accounts = await db
    .selectFrom('account')
    .select(['id', 'username'])
    .where('username', '=', sql<string>`any(${names}::text[])`)
    .execute()
  const known = new Set(accounts.map(({ username }) => username))
  const unknown = names.findIndex((name) => !known.has(name))
  if (unknown >= 0) fail('request.invalid', { fields: { [`heads.${unknown}`]: 'unknown' } })
  await db.deleteFrom('organization_head').where('organization_id', '=', organization.id).execute()
  if (accounts.length > 0)
    await db
      .insertInto('organization_head')
      .values(accounts.map(({ id }) => ({ organization_id: organization.id, account_id: id })))
      .execute()
  // Heads are listed first in the address book.
  await invalidate(db, 'people')
  const [set] = await listHeads(db, code)
  return set ? toReply(set) : fail('request.invalid', { fields: { organization: 'unknown' } })
}

const toReply = ({ organization, name, heads }: Awaited<ReturnType<typeof listHeads>>[number]) => ({
  organization,
  name,
  heads,
})

export const headHandlers: Handlers<typeof organizationHeads> = {
  async list({ db, viewer }) {
    const rows = await listHeads(db)
    return rows.filter(({ path }) => mayOperate(viewer, 'identity', path)).map(toReply)
  },
  put: ({ platform, viewer, params, body }) =>
    platform.db
      .transaction()
      .execute((db) =>
        setHeads(db, params.organization, [...new Set(body.heads)], (path) =>
          mayOperate(viewer, 'identity', path),
        ),
      ),
}
