import type { DirectoryRun } from '@atrium/contract/identity/directory'
import { sql } from 'kysely'
import { revokeAccounts } from '#domains/identity/identity/queries.ts'
import { importMembers } from '#domains/identity/members/import-members.ts'
import { importOrganizations } from '#domains/identity/members/import-organizations.ts'
import type { Db } from '#platform/database/db.ts'
import { invalidate } from '#platform/database/topics.ts'
import { StartError } from '#platform/environment.ts'
import { type Counts, codeCell, copyInto, type Import, RowIssue } from '#platform/ingest/import.ts'
import {
  type Attributes,
  ancestorsOf,
  attributeOfRule,
  attributesIn,
  attributesOf,
  identityBy,
  meets,
  plainDn,
  render,
  valuesOf,
} from './entries.ts'
import { type Connection, type Directory, entriesOf, membersOf } from './ldap.ts'

/** What a run counts, each kind by itself. */
export type RunCounts = Pick<
  DirectoryRun,
  'organizations' | 'groups' | 'members' | 'disabled' | 'known'
>
export type Kind = 'organization' | 'group' | 'member'
export type ReportRow = {
  kind: Kind
  what: 'added' | 'changed' | 'disabled' | 'refused'
  name: string
  detail: string
}

/** More of one kind helps nobody, and would have to be kept. */
const maxRows = 2000

/** The import would disable more than an operator has allowed: nothing was written. */
export class StoppedImport extends StartError {}

/** What happened, as far as it is kept. */
export function openReport() {
  const rows: ReportRow[] = []
  const kept = new Map<string, number>()
  const refused = { organization: 0, group: 0, member: 0 }
  /** By the number of a row: what it is, and what a person knows it by. */
  const about: { kind: Kind; name: string }[] = []
  const add = (row: ReportRow) => {
    const of = `${row.kind} ${row.what}`
    const count = kept.get(of) ?? 0
    kept.set(of, count + 1)
    if (count < maxRows) rows.push(row)
  }
  return {
    rows,
    refused,
    add,
    /** @returns the number that an issue of this row names */
    number(kind: Kind, name: string) {
      about.push({ kind, name })
      return about.length
    },
    issue(row: number, sentence: string) {
      const { kind, name } = about[row - 1] ?? { kind: 'member', name: String(row) }
      const last = rows.at(-1)
      // One row may have several issues.
      if (last?.what === 'refused' && last.kind === kind && last.name === name)
        last.detail += `; ${sentence}`
      else {
        refused[kind]++
        add({ kind, what: 'refused', name, detail: sentence })
      }
    },
  }
}
export type Report = ReturnType<typeof openReport>

export type ImportOrder = {
  directoryId: string
  directory: Directory
  /** how many accounts an operator has allowed it to disable; nothing: as many as the settings say */
  mayDisable: number | null
  /** a dry run says that it would have stopped, and goes on */
  dry: boolean
}

/**
 * Brings organisations, groups and people to what a directory says, within the transaction of an import. Who is no longer
 * there is disabled, never deleted.
 * @throws StoppedImport
 */
export async function importDirectory(
  run: Import,
  connection: Connection,
  order: ImportOrder,
  report: Report,
): Promise<RunCounts> {
  const known = await countKnown(run.db, order.directoryId)
  const organizations = await readOrganizations(run, connection, order, report)
  const groups = await readGroups(run, connection, order, report)
  const members = await readMembers(run, connection, order, report, {
    organizations: organizations.byDn,
    groups: groups.byDn,
  })
  const disabled = await disableMissing(run, order, members.seen, report)
  const counts: RunCounts = {
    organizations: { ...organizations.counts, refused: report.refused.organization },
    groups: { ...groups.counts, refused: report.refused.group },
    members: { ...members.counts, refused: report.refused.member },
    disabled,
    known,
  }
  const most = order.mayDisable ?? Math.floor((known * order.directory.settings.maxDisabled) / 100)
  if (disabled > most) {
    const sentence = `${disabled} of ${known} accounts would be disabled, and ${most} are allowed without asking. Nothing was written.`
    if (!order.dry) throw Object.assign(new StoppedImport(sentence), { counts })
    run.note(`A real import would stop here: ${sentence}`)
  }
  return counts
}

const countKnown = async (db: Db, directoryId: string) =>
  (
    await db
      .selectFrom('directory_entry')
      .innerJoin('account', 'account.id', 'directory_entry.account_id')
      .select(sql<number>`count(*)::integer`.as('count'))
      .where('directory_id', '=', directoryId)
      .where('account.status', '<>', 'disabled')
      .executeTakeFirstOrThrow()
  ).count

const none = { added: 0, changed: 0, unchanged: 0 }
const plain = ({ added, changed, unchanged }: Counts): Counts => ({ added, changed, unchanged })

// ---- organisations ----

type Unit = { dn: string; key: string; code: string; attributes: Attributes }

async function readOrganizations(
  run: Import,
  connection: Connection,
  { directory, directoryId }: ImportOrder,
  report: Report,
) {
  const settings = directory.settings.organizations
  const byDn = new Map<string, string>()
  if (!settings) return { byDn, counts: none }
  const { db } = run
  const known = await listKnown(db, 'organization', directoryId)
  const taken = await listTaken(db, 'organization')
  const units: Unit[] = []
  const attributes = [settings.key, ...attributesIn(settings.code, settings.name, settings.nameEn)]
  for await (const entry of entriesOf(connection, settings.base, {
    filter: settings.filter,
    attributes,
  })) {
    const values = attributesOf(entry)
    const key = valuesOf(values, settings.key)[0] ?? ''
    const code = known.get(key) ?? render(settings.code, values)
    const of = key === '' ? undefined : known.has(key) ? undefined : taken.get(code)
    if (key === '' || of !== undefined) {
      report.issue(
        report.number('organization', entry.dn),
        key === ''
          ? `the entry has no ${settings.key}`
          : `code ${code} belongs to another entry of the directory ${of}`,
      )
      continue
    }
    units.push({ dn: entry.dn, key, code, attributes: values })
    byDn.set(plainDn(entry.dn), code)
  }
  const counts = await importOrganizations(run, rowsOf())
  async function* rowsOf() {
    for (const { dn, code, attributes } of units) {
      const above = ancestorsOf(dn).find((one) => byDn.has(plainDn(one)))
      yield {
        row: report.number('organization', dn),
        cells: {
          code,
          name: render(settings?.name ?? '', attributes),
          parent: above ? byDn.get(plainDn(above)) : (settings?.under ?? ''),
          ...(settings?.nameEn && { nameEn: render(settings.nameEn, attributes) }),
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
  await tell(
    db,
    report,
    'organization',
    sql`select code as name, added from organization join unnest(${counts.ids.map(({ id }) => id)}::bigint[], ${counts.ids.map(({ added }) => added)}::boolean[]) as w (id, added) using (id)`,
  )
  return { byDn, counts: plain(counts) }
}

/** Codes by key: what was imported once keeps its code, for audiences name it. */
async function listKnown(db: Db, kind: 'organization' | 'group', directoryId: string) {
  const { rows } = await (kind === 'organization'
    ? sql<{ key: string; code: string }>`
        select external_key as key, code from directory_organization join organization on organization.id = organization_id
        where directory_id = ${directoryId}`.execute(db)
    : sql<{ key: string; code: string }>`
        select external_key as key, code from directory_group join member_group on member_group.id = group_id
        where directory_id = ${directoryId}`.execute(db))
  return new Map(rows.map(({ key, code }) => [key, code]))
}

/** Directories by the codes that are theirs. */
async function listTaken(db: Db, kind: 'organization' | 'group') {
  const { rows } = await (kind === 'organization'
    ? sql<{ code: string; of: string }>`
        select organization.code, directory.code as of from directory_organization
        join organization on organization.id = organization_id join directory on directory.id = directory_id`.execute(
        db,
      )
    : sql<{ code: string; of: string }>`
        select member_group.code, directory.code as of from directory_group
        join member_group on member_group.id = group_id join directory on directory.id = directory_id`.execute(
        db,
      ))
  return new Map(rows.map(({ code, of }) => [code, of]))
}

async function tell(db: Db, report: Report, kind: Kind, query: ReturnType<typeof sql>) {
  const { rows } = await sql<{ name: string; added: boolean }>`
    select * from (
      select name, added, row_number() over (partition by added order by name) as number from (${query}) as written
    ) as numbered where number <= ${maxRows}`.execute(db)
  for (const { name, added } of rows)
    report.add({ kind, what: added ? 'added' : 'changed', name, detail: '' })
}

// ---- groups ----

type Group = { key: string; code: string; name: string; dn: string }

async function readGroups(
  run: Import,
  connection: Connection,
  { directory, directoryId }: ImportOrder,
  report: Report,
) {
  const settings = directory.settings.groups
  const byDn = new Map<string, string>()
  if (!settings) return { byDn, counts: none }
  const { db, client } = run
  const { memberOf } = directory.settings.members
  const byMember = memberOf === ''
  const known = await listKnown(db, 'group', directoryId)
  const taken = await listTaken(db, 'group')
  const groups = new Map<string, Group>()
  await sql`create temp table staged_membership (key text not null, member text not null) on commit drop`.execute(
    db,
  )
  const attributes = [settings.key, ...attributesIn(settings.code, settings.name)]
  async function* memberships() {
    for await (const entry of entriesOf(connection, settings?.base ?? '', {
      filter: settings?.filter ?? '',
      attributes: byMember ? [...attributes, settings?.member ?? ''] : attributes,
    })) {
      const values = attributesOf(entry)
      const group = readGroup(entry.dn, values)
      if (!group) continue
      for await (const member of membersOf(connection, entry.dn, values, settings?.member ?? ''))
        yield [group.key, settings?.memberIs === 'dn' ? plainDn(member) : member.toLowerCase()]
    }
  }
  function readGroup(dn: string, values: Attributes): Group | undefined {
    const key = valuesOf(values, settings?.key ?? '')[0] ?? ''
    const code = known.get(key) ?? render(settings?.code ?? '', values)
    const issue = faultOf()
    if (issue) {
      report.issue(report.number('group', dn), issue)
      return undefined
    }
    const group = {
      key,
      code,
      dn,
      name: render(settings?.name ?? '', values).slice(0, 100) || code,
    }
    groups.set(code, group)
    byDn.set(plainDn(dn), code)
    return group
    function faultOf() {
      if (key === '') return `the entry has no ${settings?.key}`
      if (groups.has(code)) return `code ${code} is that of ${groups.get(code)?.dn} already`
      const of = known.has(key) ? undefined : taken.get(code)
      if (of) return `code ${code} belongs to another entry of the directory ${of}`
      try {
        codeCell(code)
        return undefined
      } catch (error) {
        if (error instanceof RowIssue) return `code ${error.message}`
        throw error
      }
    }
  }
  if (byMember) await copyInto(client, 'staged_membership', ['key', 'member'], memberships())
  else {
    // Where people name their groups, groups name those they are in themselves.
    const nested: { dn: string; within: string }[] = []
    for await (const entry of entriesOf(connection, settings.base, {
      filter: settings.filter,
      attributes: [...attributes, memberOf],
    })) {
      const values = attributesOf(entry)
      if (!readGroup(entry.dn, values)) continue
      for (const within of valuesOf(values, memberOf))
        nested.push({ dn: plainDn(entry.dn), within: plainDn(within) })
    }
    const rows = nested.flatMap(({ dn, within }) => {
      const group = groups.get(byDn.get(within) ?? '')
      return group ? [[group.key, dn]] : []
    })
    await copyInto(client, 'staged_membership', ['key', 'member'], rows)
  }
  await stageNesting(run, [...groups.values()], settings.memberIs === 'dn' || !byMember)
  const counts = await writeGroups(db, directoryId, [...groups.values()], report)
  return { byDn, counts }
}

/**
 * Who is in a group is in every group that one is in: `nested_group` says which, each in itself too. Followed here, through
 * the groups that are brought, because directories differ in it: some follow it for who asks, some for one rule of their
 * own (LDAP_MATCHING_RULE_IN_CHAIN) at the cost of a question for each group, most not at all.
 */
async function stageNesting({ db, client }: Import, groups: readonly Group[], follow: boolean) {
  await sql`create temp table staged_group (key text not null, dn text not null) on commit drop`.execute(
    db,
  )
  await copyInto(
    client,
    'staged_group',
    ['key', 'dn'],
    groups.map(({ key, dn }) => [key, plainDn(dn)]),
  )
  await sql`
    create temp table nested_group on commit drop as
    with recursive step as materialized (
      select staged_group.key, membership.key as within
      from staged_membership membership join staged_group on staged_group.dn = membership.member
      where ${follow}::boolean),
    -- Without the same pair twice, so that groups which are in each other end it.
    nested as (
      select key, key as within from staged_group
      union
      select nested.key, step.within from nested join step on step.key = nested.within)
    select key, within from nested`.execute(db)
}

async function writeGroups(db: Db, directoryId: string, groups: Group[], report: Report) {
  const { rows } = await sql<{ name: string; added: boolean }>`
    insert into member_group (code, name, name_en)
    select code, name, name from unnest(${groups.map(({ code }) => code)}::text[], ${groups.map(({ name }) => name)}::text[]) as wanted (code, name)
    on conflict (code) do update set name = excluded.name where member_group.name <> excluded.name
    returning code as name, xmax = 0 as added`.execute(db)
  await sql`
    insert into directory_group (directory_id, external_key, group_id)
    select ${directoryId}::bigint, wanted.key, member_group.id
    from unnest(${groups.map(({ key }) => key)}::text[], ${groups.map(({ code }) => code)}::text[]) as wanted (key, code)
    join member_group on member_group.code = wanted.code
    on conflict do nothing`.execute(db)
  for (const { name, added } of rows)
    report.add({ kind: 'group', what: added ? 'added' : 'changed', name, detail: '' })
  const added = rows.filter((row) => row.added).length
  return { added, changed: rows.length - added, unchanged: groups.length - rows.length }
}

// ---- members ----

async function readMembers(
  run: Import,
  connection: Connection,
  { directory, directoryId }: ImportOrder,
  report: Report,
  found: { organizations: Map<string, string>; groups: Map<string, string> },
) {
  const { members: settings, passwords, groups } = directory.settings
  const { takeOver } = directory.settings
  const seen: string[] = []
  const identityOf = identityBy(settings)
  const attributes = [
    settings.key,
    ...attributesIn(
      settings.username,
      settings.name,
      settings.nameEn,
      settings.identity,
      settings.organization,
      settings.mobile,
      settings.email,
      settings.personKey,
    ),
    ...attributeOfRule(settings.disabled),
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
      // Whoever is there is not missing, also when the row cannot be taken.
      seen.push(entryKey)
      const identity = identityOf(values)
      if (identity === undefined) {
        report.issue(row, `${render(settings.identity, values)} has no code in members.identities`)
        continue
      }
      const cells = cellsOf(values, entry.dn)
      yield { row, cells: { entryKey, dn: plainDn(entry.dn), identity, ...cells } }
    }
  }
  function cellsOf(values: Attributes, dn: string): Record<string, string> {
    const optional = (name: string, template: string): Record<string, string> =>
      template === '' ? {} : { [name]: render(template, values) }
    const place =
      settings.organization === ''
        ? ancestorsOf(dn)
            .map((one) => found.organizations.get(plainDn(one)))
            .find((code) => code !== undefined)
        : render(settings.organization, values)
    return {
      username: render(settings.username, values),
      name: render(settings.name, values),
      ...optional('nameEn', settings.nameEn),
      organization: place || settings.organizationElse,
      ...optional('mobile', settings.mobile),
      ...optional('email', settings.email),
      ...optional('personKey', settings.personKey),
      status: meets(settings.disabled, values) ? 'disabled' : '',
      ...(groups &&
        settings.memberOf && {
          groups: valuesOf(values, settings.memberOf)
            .flatMap((one) => found.groups.get(plainDn(one)) ?? [])
            .join(';'),
        }),
    }
  }
  const counts = await importMembers(run, rows(), { id: directoryId, takeOver, passwords })
  const moved = groups
    ? await writeMemberships(run.db, directoryId, settings.memberOf !== '', groups.memberIs)
    : false
  await tell(
    run.db,
    report,
    'member',
    sql`select username as name, new_account as added from staged_member where new_account or changed`,
  )
  const after = await countStaged(run.db)
  if (moved) await invalidate(run.db, 'directory')
  return { counts: { ...plain(counts), ...after }, seen }
}

/** Who is in the directory's groups is as it says; groups of our own stay as they are. @returns whether anything changed */
async function writeMemberships(
  db: Db,
  directoryId: string,
  byPerson: boolean,
  memberIs: 'dn' | 'username',
): Promise<boolean> {
  const wanted = byPerson
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
  await sql`create temp table wanted_membership on commit drop as select distinct * from (${wanted}) as wanted`.execute(
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

/** Disables whom the directory no longer has. @returns how many accounts this import disables, by whichever reason */
async function disableMissing(
  run: Import,
  { directoryId }: ImportOrder,
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
