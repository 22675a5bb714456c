import { sql } from 'kysely'
import { revokeAccounts } from '#domains/identity/identity/queries.ts'
import type { Db } from '#platform/database/db.ts'
import { invalidate } from '#platform/database/topics.ts'
import { StartError } from '#platform/environment.ts'
import { type Counts, type Import, type RowSource, readRows } from '#platform/ingest/import.ts'
import { type Cell, copyInto } from '#platform/ingest/write-rows.ts'
import { type DirectorySource, entryFields, memberFields } from './member-fields.ts'

/**
 * Imports members as accounts, matched by username. A new one has no password and needs activation; an import never
 * undoes an activation. Accounts with the same person key belong to one person. Staged rows remain in `staged_member`
 * until the transaction ends.
 */
export async function importMembers(
  run: Import,
  source: RowSource,
  directory?: DirectorySource,
): Promise<Counts> {
  const { db, client } = run
  const identities = new Set(
    (await db.selectFrom('identity_type').select('code').execute()).map((row) => row.code),
  )
  const organizations = new Map(
    (await db.selectFrom('organization').select(['id', 'code']).execute()).map((row) => [
      row.code,
      row.id,
    ]),
  )

  if (identities.size === 0 || organizations.size === 0) {
    throw new StartError(
      identities.size === 0
        ? 'There are no identity types yet. Import them first: npx atrium import identities'
        : 'There are no organisations yet. Import them first: npx atrium import organisations',
    )
  }

  await sql`
    create temp table staged_member (
      row integer primary key, username text not null, name text not null, name_en text, identity text not null,
      organization_id bigint not null, mobile text, email text, groups text[], status text, person_key text,
      account_id bigint, person_id bigint, new_person boolean not null default false, new_account boolean not null default false,
      changed boolean not null default false, entry_key text, dn text, before text
    ) on commit drop`.execute(db)

  async function* rows(): AsyncGenerator<Cell[]> {
    const read = readRows(run, source, directory ? entryFields : memberFields, 'username')
    for await (const { row, values: member } of read) {
      const entry = member as { entryKey?: string; dn?: string }
      const organizationId = organizations.get(member.organization)
      if (!identities.has(member.identity))
        run.issue(
          row,
          `identityType ${member.identity} is not known; known are ${[...identities].slice(0, 20).join(', ')}`,
        )
      if (!organizationId)
        run.issue(
          row,
          `organizationCode ${member.organization} is not known; import organisations first`,
        )
      if (!organizationId || !identities.has(member.identity)) continue
      yield [
        row,
        member.username,
        member.name,
        member.nameEn ?? null,
        member.identity,
        organizationId,
        member.mobile ?? null,
        member.email ?? null,
        member.groups ?? null,
        member.status ?? null,
        member.personKey || null,
        entry.entryKey ?? null,
        entry.dn ?? null,
      ]
    }
  }
  await copyInto(
    client,
    'staged_member',
    [
      'row',
      'username',
      'name',
      'name_en',
      'identity',
      'organization_id',
      'mobile',
      'email',
      'groups',
      'status',
      'person_key',
      'entry_key',
      'dn',
    ],
    rows(),
  )
  await sql`analyze staged_member`.execute(db)
  if (directory) await findByEntry(run, directory)
  else await findByUsername(run)
  await findPersons(run)
  await writePersons(run)
  await writeAccounts(run, directory)
  if (directory) await writeEntries(run, directory)
  else await writeGroups(run)
  const { rows: counts } = await sql<Counts>`
    select count(*) filter (where new_account)::integer as added,
           count(*) filter (where not new_account and changed)::integer as changed,
           count(*) filter (where not new_account and not changed)::integer as unchanged
    from staged_member`.execute(db)
  const result = counts[0] as Counts
  if (result.added + result.changed > 0) {
    await invalidate(db, 'directory')
    // Otherwise the planner would use statistics from before the import.
    await sql`analyze person, account, group_member`.execute(db)
  }
  return result
}

const findByUsername = ({ db }: Import) =>
  sql`
    update staged_member staged set account_id = account.id, person_id = account.person_id
    from account where account.username = staged.username`.execute(db)

/**
 * Finds the account of each entry: by its key, or by the same username if the directory may take it over. A username
 * owned by somebody else is never matched, as it may have been reassigned.
 */
async function findByEntry({ db, issue }: Import, { id, takeOver }: DirectorySource) {
  await sql`
    update staged_member staged set account_id = account.id, person_id = account.person_id
    from directory_entry entry join account on account.id = entry.account_id
    where entry.directory_id = ${id} and entry.external_key = staged.entry_key`.execute(db)
  // Two entries may swap usernames: an account renamed in this import does not block its old name.
  const leaves = sql`exists (select from staged_member leaving where leaving.account_id = account.id and leaving.username <> account.username)`
  for (;;) {
    const { rows } = await sql<{ row: number; username: string }>`
      delete from staged_member staged using account
      where account.username = staged.username and staged.account_id is not null and account.id <> staged.account_id and not ${leaves}
      returning staged.row, staged.username`.execute(db)
    for (const { row, username } of rows)
      issue(row, `username ${username} belongs to another account`)
    // A rejected row keeps its name and may block others, so repeat until nothing is rejected.
    if (rows.length === 0) break
  }
  const { rows } = await sql<{ row: number; username: string; of: string | null }>`
    with found as (
      select staged.row, account.id, account.person_id, directory.code as of,
             directory.code is null and not exists (select from scim_user where scim_user.account_id = account.id) and (${takeOver}::text = 'everybody'
               or ${takeOver}::text = 'members' and not exists (select from operator_grant g join account own on own.id = g.account_id
                 where own.person_id = account.person_id)) as free
      from staged_member staged
      join account on account.username = staged.username and not ${leaves}
      left join directory_entry entry on entry.account_id = account.id
      left join directory on directory.id = entry.directory_id
      where staged.account_id is null
    ), taken as (
      update staged_member staged set account_id = found.id, person_id = found.person_id, changed = true
      from found where found.row = staged.row and found.free
    )
    delete from staged_member staged using found where found.row = staged.row and not found.free
    returning staged.row, staged.username, found.of`.execute(db)
  for (const { row, username, of } of rows)
    issue(
      row,
      of
        ? `username ${username} belongs to another entry of the directory ${of}; unlink that account if it is the same person`
        : `there is an account ${username} that this directory may not take over (takeOver)`,
    )
  // Disabled entries that never had an account are skipped.
  await sql`delete from staged_member where account_id is null and status = 'disabled'`.execute(db)
  await sql`
    update staged_member staged set before = account.status from account where account.id = staged.account_id`.execute(
    db,
  )
}

/** Finds the person of each row: its account's, the one with its person key, or a new one. */
async function findPersons({ db, issue }: Import) {
  // A password belongs to a person: a row that would merge two persons is rejected.
  const { rows } = await sql<{ row: number; username: string; person_key: string }>`
    delete from staged_member staged using person
    where person.id = staged.person_id and staged.person_key is not null and person.external_key is distinct from staged.person_key
      and (person.external_key is not null
           or exists (select from person other where other.external_key = staged.person_key)
           or exists (select from staged_member other where other.person_key = staged.person_key
                      and other.person_id <> staged.person_id and other.row < staged.row))
    returning staged.row, staged.username, staged.person_key`.execute(db)
  for (const { row, username, person_key } of rows)
    issue(row, `personKey ${person_key} belongs to another person than the account ${username}`)
  await sql`
    with touched as (
      update person set external_key = staged.person_key
      from staged_member staged
      where staged.person_id = person.id and person.external_key is null and staged.person_key is not null
      returning person.id
    )
    update staged_member staged set changed = true from touched where touched.id = staged.person_id`.execute(
    db,
  )
  await sql`
    update staged_member staged set person_id = person.id
    from person where staged.person_id is null and person.external_key = staged.person_key`.execute(
    db,
  )
  await sql`
    update staged_member staged set person_id = fresh.id, new_person = true
    from (
      select person_key, nextval(pg_get_serial_sequence('person', 'id')) as id
      from (select distinct person_key from staged_member where person_id is null and person_key is not null) keys
    ) fresh
    where staged.person_id is null and staged.person_key = fresh.person_key`.execute(db)
  await sql`
    update staged_member set person_id = nextval(pg_get_serial_sequence('person', 'id')), new_person = true
    where person_id is null`.execute(db)
}

/** If several rows belong to one person, the last one determines the person's data. */
async function writePersons({ db, note }: Import) {
  await sql`
    insert into person (id, external_key, name, name_en, mobile, email) overriding system value
    select distinct on (person_id) person_id, person_key, name, coalesce(name_en, ''), coalesce(mobile, ''), coalesce(email, '')
    from staged_member where new_person order by person_id, row desc`.execute(db)
  await sql`
    with wanted as (
      select distinct on (person_id) person_id, name, name_en, mobile, email
      from staged_member where not new_person order by person_id, row desc
    ), touched as (
      update person set name = wanted.name, name_en = coalesce(wanted.name_en, person.name_en),
                        mobile = ${mergedContact('mobile')}, email = ${mergedContact('email')}
      from wanted
      where person.id = wanted.person_id
        and (person.name, person.name_en, person.mobile, person.email) is distinct from
            (wanted.name, coalesce(wanted.name_en, person.name_en), ${mergedContact('mobile')}, ${mergedContact('email')})
      returning person.id
    )
    update staged_member staged set changed = true from touched where touched.id = staged.person_id`.execute(
    db,
  )
  const unchangedCount = await countVerifiedContacts(db)
  if (unchangedCount > 0)
    note(
      `contacts that members verified themselves were kept although the file differs: ${unchangedCount} members`,
    )
}

/**
 * A contact verified by the member is not overwritten: it has received codes, and the directory's data is no more
 * reliable.
 */
const mergedContact = (kind: 'mobile' | 'email') => sql`
  case when ${sql.ref(`person.${kind}_verified_at`)} is null then coalesce(${sql.ref(`wanted.${kind}`)}, ${sql.ref(`person.${kind}`)})
       else ${sql.ref(`person.${kind}`)} end`

async function countVerifiedContacts(db: Db): Promise<number> {
  const { rows } = await sql<{ kept: number }>`
    select count(distinct person.id)::integer as kept
    from staged_member staged join person on person.id = staged.person_id
    where (person.mobile_verified_at is not null and staged.mobile is not null and staged.mobile <> person.mobile)
       or (person.email_verified_at is not null and staged.email is not null and lower(staged.email) <> lower(person.email))`.execute(
    db,
  )
  return rows[0]?.kept ?? 0
}

async function writeAccounts({ db }: Import, directory: DirectorySource | undefined) {
  if (directory) await renameAccounts(db)
  const initial = directory?.passwords ? 'active' : 'inactive'
  await sql`
    with added as (
      insert into account (person_id, username, identity_type_code, organization_id, status)
      select person_id, username, identity, organization_id, coalesce(status, ${initial}) from staged_member where account_id is null
      returning id, username
    )
    update staged_member staged set account_id = added.id, new_account = true from added where added.username = staged.username`.execute(
    db,
  )
  await sql`
    with wanted as (
      select staged.account_id, staged.identity, staged.organization_id,
             ${directory ? statusByDirectory(directory) : statusByFile} as status
      from staged_member staged join account on account.id = staged.account_id
      where not staged.new_account
    ), touched as (
      update account set identity_type_code = wanted.identity, organization_id = wanted.organization_id, status = wanted.status
      from wanted
      where account.id = wanted.account_id
        and (account.identity_type_code, account.organization_id, account.status) is distinct from
            (wanted.identity, wanted.organization_id, wanted.status)
      returning account.id
    )
    update staged_member staged set changed = true from touched where touched.id = staged.account_id`.execute(
    db,
  )
  // Re-enabled members have to sign in again. Nodes drop cached sessions on the `directory` invalidation.
  await revokeAccounts(
    db,
    sql`
      select account.id from staged_member staged join account on account.id = staged.account_id
      where account.status = 'disabled' and staged.changed`,
  )
}

const statusByFile = sql`
  case when staged.status is null or (staged.status = 'inactive' and account.status = 'active') then account.status
       else staged.status end`

/** Accounts disabled manually, not by an import, are not re-enabled by the directory. */
const statusByDirectory = ({ id, passwords }: DirectorySource) => sql`
  case when staged.status = 'disabled' then 'disabled'
       when account.status = 'active' or (account.status = 'inactive' and not ${passwords}::boolean) then account.status
       when account.status = 'disabled' and not exists (
         select from directory_entry entry
         where entry.directory_id = ${id} and entry.account_id = account.id and entry.disabled_by_import) then 'disabled'
       when ${passwords}::boolean or exists (select from person where person.id = account.person_id and password_hash is not null)
         then 'active'
       else 'inactive' end`

/** Renames via temporary names, because accounts may have swapped theirs. */
async function renameAccounts(db: Db) {
  const { rows } = await sql<{ row: number }>`
    with renamed as (
      update account set username = 'renamed-' || gen_random_uuid() from staged_member staged
      where account.id = staged.account_id and account.username <> staged.username
      returning staged.row
    )
    update staged_member staged set changed = true from renamed where renamed.row = staged.row returning staged.row`.execute(
    db,
  )
  if (rows.length > 0)
    await sql`
      update account set username = staged.username from staged_member staged
      where account.id = staged.account_id and account.username <> staged.username`.execute(db)
}

const writeEntries = ({ db }: Import, { id }: DirectorySource) =>
  sql`
    insert into directory_entry as entry (directory_id, external_key, account_id, disabled_by_import)
    select ${id}::bigint, entry_key, account_id, status is not distinct from 'disabled' and before is distinct from 'disabled'
    from staged_member
    on conflict (directory_id, external_key) do update set disabled_by_import =
      excluded.disabled_by_import
      or (entry.disabled_by_import and exists (select from account where account.id = entry.account_id and account.status = 'disabled'))`.execute(
    db,
  )

/** The column contains the member's complete group list; if it is missing, groups stay unchanged. */
async function writeGroups({ db, note }: Import) {
  const { rows } = await sql<{ code: string }>`
    insert into member_group (code, name, name_en)
    select distinct wanted.code, wanted.code, wanted.code from staged_member, unnest(groups) as wanted (code)
    on conflict (code) do nothing returning code`.execute(db)
  if (rows.length > 0)
    note(`groups created with their codes as names: ${formatList(rows.map((row) => row.code))}`)
  await sql`
    create temp table staged_group on commit drop as
    select distinct staged.account_id, member_group.id as group_id
    from staged_member staged, unnest(staged.groups) as named (code) join member_group on member_group.code = named.code`.execute(
    db,
  )
  await sql`analyze staged_group`.execute(db)
  await sql`
    with gone as (
      delete from group_member using staged_member staged
      where staged.groups is not null and group_member.account_id = staged.account_id
        and not exists (select from staged_group wanted
                        where wanted.account_id = group_member.account_id and wanted.group_id = group_member.group_id)
      returning group_member.account_id
    ), come as (
      insert into group_member (account_id, group_id) select account_id, group_id from staged_group
      on conflict do nothing returning account_id
    )
    update staged_member staged set changed = true
    from (select account_id from gone union select account_id from come) touched
    where touched.account_id = staged.account_id`.execute(db)
}

const formatList = (codes: string[]) =>
  codes.length > 5
    ? `${codes.slice(0, 5).join(', ')} and ${codes.length - 5} more`
    : codes.join(', ')
