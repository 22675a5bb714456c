import { sql } from 'kysely'
import { revokeAccounts } from '#domains/identity/identity/queries.ts'
import { importMembers } from '#domains/identity/members/import-members.ts'
import { importOrganizations } from '#domains/identity/members/import-organizations.ts'
import type { Db } from '#platform/database/db.ts'
import { invalidate } from '#platform/database/topics.ts'
import { StartError } from '#platform/environment.ts'
import type { Counts, Import } from '#platform/ingest/import.ts'
import { copyInto } from '#platform/ingest/write-rows.ts'
import {
  type Attributes,
  ancestorsOf,
  attributesOf,
  identityReader,
  matchesRule,
  normalizeDn,
  renderTemplate,
  ruleAttributes,
  templateAttributes,
  valuesOf,
} from './entries.ts'
import { readGroups } from './import-groups.ts'
import { type Kind, maxRows, type Report, type RunCounts } from './import-report.ts'
import { listCodeOwners, listImportedCodes, noCounts } from './known-entries.ts'
import { type Connection, type Directory, entriesOf } from './ldap.ts'

/** The import would disable more accounts than allowed; nothing was written. */
export class StoppedImport extends StartError {}

export type ImportOptions = {
  directoryId: string
  directory: Directory
  /** number of accounts an operator has allowed it to disable; null: the limit from the settings */
  mayDisable: number | null
  /** a dry run notes that it would have stopped, and continues */
  dry: boolean
}

/**
 * Synchronises organisations, groups and people with a directory, within the import's transaction. Missing accounts are
 * disabled, never deleted.
 * @throws StoppedImport
 */
export async function importDirectory(
  run: Import,
  connection: Connection,
  options: ImportOptions,
  report: Report,
): Promise<RunCounts> {
  const enabledCount = await countEnabled(run.db, options.directoryId)
  const organizations = await readOrganizations(run, connection, options, report)
  const groups = await readGroups(run, connection, options, report)
  const members = await readMembers(run, connection, options, report, {
    organizations: organizations.byDn,
    groups: groups.byDn,
  })
  const disabled = await disableMissing(run, options, members.seen, report)
  const counts: RunCounts = {
    organizations: { ...organizations.counts, refused: report.refused.organization },
    groups: { ...groups.counts, refused: report.refused.group },
    members: { ...members.counts, refused: report.refused.member },
    disabled,
    known: enabledCount,
  }
  const allowed =
    options.mayDisable ?? Math.floor((enabledCount * options.directory.settings.maxDisabled) / 100)
  if (disabled > allowed) {
    const sentence = `${disabled} of ${enabledCount} accounts would be disabled; more than ${allowed} need confirmation. Nothing was written.`
    if (!options.dry) throw Object.assign(new StoppedImport(sentence), { counts })
    run.note(`A real import would stop here: ${sentence}`)
  }
  return counts
}

const countEnabled = async (db: Db, directoryId: string) =>
  (
    await db
      .selectFrom('directory_entry')
      .innerJoin('account', 'account.id', 'directory_entry.account_id')
      .select(sql<number>`count(*)::integer`.as('count'))
      .where('directory_id', '=', directoryId)
      .where('account.status', '<>', 'disabled')
      .executeTakeFirstOrThrow()
  ).count

const pickCounts = ({ added, changed, unchanged }: Counts): Counts => ({
  added,
  changed,
  unchanged,
})

// ---- organisations ----

type Unit = { dn: string; key: string; code: string; attributes: Attributes }

async function readOrganizations(
  run: Import,
  connection: Connection,
  { directory, directoryId }: ImportOptions,
  report: Report,
) {
  const settings = directory.settings.organizations
  const byDn = new Map<string, string>()
  if (!settings) return { byDn, counts: noCounts }
  const { db } = run
  const importedCodes = await listImportedCodes(db, 'organization', directoryId)
  const codeOwners = await listCodeOwners(db, 'organization')
  const units: Unit[] = []
  const attributes = [
    settings.key,
    ...templateAttributes(settings.code, settings.name, settings.nameEn),
  ]
  for await (const entry of entriesOf(connection, settings.base, {
    filter: settings.filter,
    attributes,
  })) {
    const values = attributesOf(entry)
    const key = valuesOf(values, settings.key)[0] ?? ''
    const code = importedCodes.get(key) ?? renderTemplate(settings.code, values)
    const owner = key === '' ? undefined : importedCodes.has(key) ? undefined : codeOwners.get(code)
    if (key === '' || owner !== undefined) {
      report.issue(
        report.number('organization', entry.dn),
        key === ''
          ? `the entry has no ${settings.key}`
          : `code ${code} belongs to another entry of the directory ${owner}`,
      )
      continue
    }
    units.push({ dn: entry.dn, key, code, attributes: values })
    byDn.set(normalizeDn(entry.dn), code)
  }
  const counts = await importOrganizations(run, rowsOf())
  async function* rowsOf() {
    for (const { dn, code, attributes } of units) {
      const parent = ancestorsOf(dn).find((one) => byDn.has(normalizeDn(one)))
      yield {
        row: report.number('organization', dn),
        cells: {
          code,
          name: renderTemplate(settings?.name ?? '', attributes),
          parent: parent ? byDn.get(normalizeDn(parent)) : (settings?.under ?? ''),
          ...(settings?.nameEn && { nameEn: renderTemplate(settings.nameEn, attributes) }),
        },
      }
    }
  }
  await sql`
    insert into directory_organization (directory_id, external_key, organization_id)
    select ${directoryId}::bigint, wanted.key, organization.id
    from unnest(${units.map(({ key }) => key)}::text[], ${units.map(({ code }) => code)}::text[]) as wanted (key, code)
    join organization on organization.code = wanted.code
    on conflict do nothing`.execute(db)
  await reportChanges(
    db,
    report,
    'organization',
    sql`select code as name, added from organization join unnest(${counts.ids.map(({ id }) => id)}::bigint[], ${counts.ids.map(({ added }) => added)}::boolean[]) as w (id, added) using (id)`,
  )
  return { byDn, counts: pickCounts(counts) }
}

async function reportChanges(db: Db, report: Report, kind: Kind, query: ReturnType<typeof sql>) {
  const { rows } = await sql<{ name: string; added: boolean }>`
    select * from (
      select name, added, row_number() over (partition by added order by name) as number from (${query}) as written
    ) as numbered where number <= ${maxRows}`.execute(db)
  for (const { name, added } of rows)
    report.add({ kind, what: added ? 'added' : 'changed', name, detail: '' })
}

// ---- members ----

async function readMembers(
  run: Import,
  connection: Connection,
  { directory, directoryId }: ImportOptions,
  report: Report,
  codesByDn: { organizations: Map<string, string>; groups: Map<string, string> },
) {
  const { members: settings, passwords, groups } = directory.settings
  const { takeOver } = directory.settings
  const seen: string[] = []
  const identityOf = identityReader(settings)
  const attributes = [
    settings.key,
    ...templateAttributes(
      settings.username,
      settings.name,
      settings.nameEn,
      settings.identity,
      settings.organization,
      settings.mobile,
      settings.email,
      settings.personKey,
    ),
    ...ruleAttributes(settings.disabled),
    ...(settings.memberOf ? [settings.memberOf] : []),
  ]
  async function* rows() {
    for await (const entry of entriesOf(connection, settings.base, {
      filter: settings.filter,
      attributes,
    })) {
      const values = attributesOf(entry)
      const row = report.number('member', entry.dn)
      const entryKey = valuesOf(values, settings.key)[0] ?? ''
      if (entryKey === '') {
        report.issue(row, `the entry has no ${settings.key}`)
        continue
      }
      // An entry that is present does not count as missing, even if its row is rejected.
      seen.push(entryKey)
      const identity = identityOf(values)
      if (identity === undefined) {
        report.issue(
          row,
          `${renderTemplate(settings.identity, values)} has no code in members.identities`,
        )
        continue
      }
      const cells = cellsOf(values, entry.dn)
      yield { row, cells: { entryKey, dn: normalizeDn(entry.dn), identity, ...cells } }
    }
  }
  function cellsOf(values: Attributes, dn: string): Record<string, string> {
    const optional = (name: string, template: string): Record<string, string> =>
      template === '' ? {} : { [name]: renderTemplate(template, values) }
    const place =
      settings.organization === ''
        ? ancestorsOf(dn)
            .map((one) => codesByDn.organizations.get(normalizeDn(one)))
            .find((code) => code !== undefined)
        : renderTemplate(settings.organization, values)
    return {
      username: renderTemplate(settings.username, values),
      name: renderTemplate(settings.name, values),
      ...optional('nameEn', settings.nameEn),
      organization: place || settings.organizationElse,
      ...optional('mobile', settings.mobile),
      ...optional('email', settings.email),
      ...optional('personKey', settings.personKey),
      status: matchesRule(settings.disabled, values) ? 'disabled' : '',
      ...(groups &&
        settings.memberOf && {
          groups: valuesOf(values, settings.memberOf)
            .flatMap((one) => codesByDn.groups.get(normalizeDn(one)) ?? [])
            .join(';'),
        }),
    }
  }
  const counts = await importMembers(run, rows(), { id: directoryId, takeOver, passwords })
  const moved = groups
    ? await writeMemberships(run.db, directoryId, settings.memberOf !== '', groups.memberIs)
    : false
  await reportChanges(
    run.db,
    report,
    'member',
    sql`select username as name, new_account as added from staged_member where new_account or changed`,
  )
  const after = await countStaged(run.db)
  if (moved) await invalidate(run.db, 'directory')
  return { counts: { ...pickCounts(counts), ...after }, seen }
}

/**
 * Synchronises memberships of the directory's groups; other groups stay unchanged.
 * @returns whether anything changed
 */
async function writeMemberships(
  db: Db,
  directoryId: string,
  byPerson: boolean,
  memberIs: 'dn' | 'username',
): Promise<boolean> {
  const memberships = byPerson
    ? sql`
        select staged.account_id, own.group_id from staged_member staged, unnest(staged.groups) as named (code)
        join member_group on member_group.code = named.code
        join directory_group named_group on named_group.group_id = member_group.id
          and named_group.directory_id = ${directoryId}
        join nested_group nested on nested.key = named_group.external_key
        join directory_group own on own.external_key = nested.within and own.directory_id = ${directoryId}`
    : sql`
        select staged.account_id, own.group_id from staged_membership membership
        join nested_group nested on nested.key = membership.key
        join directory_group own on own.external_key = nested.within and own.directory_id = ${directoryId}
        join staged_member staged on ${memberIs === 'dn' ? sql`staged.dn` : sql`staged.username`} = membership.member`
  await sql`create temp table wanted_membership on commit drop as select distinct * from (${memberships}) as wanted`.execute(
    db,
  )
  const { rows } = await sql<{ account_id: string }>`
    with gone as (
      delete from group_member using staged_member staged, directory_group own
      where group_member.account_id = staged.account_id and own.group_id = group_member.group_id and own.directory_id = ${directoryId}
        and not exists (select from wanted_membership wanted
                        where wanted.account_id = group_member.account_id and wanted.group_id = group_member.group_id)
      returning group_member.account_id
    ), come as (
      insert into group_member (account_id, group_id) select account_id, group_id from wanted_membership
      on conflict do nothing returning account_id
    )
    update staged_member staged set changed = true
    from (select account_id from gone union select account_id from come) touched
    where touched.account_id = staged.account_id returning staged.account_id`.execute(db)
  return rows.length > 0
}

const countStaged = async (db: Db) => {
  const { rows } = await sql<Counts>`
    select count(*) filter (where new_account)::integer as added,
           count(*) filter (where not new_account and changed)::integer as changed,
           count(*) filter (where not new_account and not changed)::integer as unchanged
    from staged_member`.execute(db)
  return rows[0] as Counts
}

/** Disables accounts missing from the directory. @returns how many accounts this import disables, for either reason */
async function disableMissing(
  run: Import,
  { directoryId }: ImportOptions,
  seen: readonly string[],
  report: Report,
): Promise<number> {
  const { db, client } = run
  await sql`create temp table seen_entry (key text not null) on commit drop`.execute(db)
  await copyInto(
    client,
    'seen_entry',
    ['key'],
    seen.map((key) => [key]),
  )
  await sql`analyze seen_entry`.execute(db)
  const { rows: missing } = await sql<{ id: string; name: string }>`
    with gone as (
      update directory_entry entry set disabled_by_import = true
      from account
      where entry.directory_id = ${directoryId} and account.id = entry.account_id and account.status <> 'disabled'
        and not exists (select from seen_entry where seen_entry.key = entry.external_key)
      returning entry.account_id
    )
    update account set status = 'disabled' from gone where account.id = gone.account_id
    returning account.id, account.username as name`.execute(db)
  await revokeAccounts(db, sql`select unnest(${missing.map(({ id }) => id)}::bigint[])`)
  const { rows: refused } = await sql<{ name: string }>`
    select username as name from staged_member
    where not new_account and status = 'disabled' and before <> 'disabled'`.execute(db)
  for (const { name } of missing)
    report.add({ kind: 'member', what: 'disabled', name, detail: 'no longer in the directory' })
  for (const { name } of refused)
    report.add({ kind: 'member', what: 'disabled', name, detail: 'disabled in the directory' })
  if (missing.length > 0) await invalidate(db, 'directory')
  return missing.length + refused.length
}
