import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { codeCell } from '#platform/ingest/cells.ts'
import type { Import } from '#platform/ingest/import.ts'
import { RowIssue } from '#platform/ingest/row-issue.ts'
import { copyInto } from '#platform/ingest/write-rows.ts'
import {
  type Attributes,
  attributesOf,
  normalizeDn,
  renderTemplate,
  templateAttributes,
  valuesOf,
} from './entries.ts'
import type { ImportOptions } from './import.ts'
import type { Report } from './import-report.ts'
import { listCodeOwners, listImportedCodes, noCounts } from './known-entries.ts'
import { type Connection, entriesOf, membersOf } from './ldap.ts'

// ---- groups ----

type Group = { key: string; code: string; name: string; dn: string }

export async function readGroups(
  run: Import,
  connection: Connection,
  { directory, directoryId }: ImportOptions,
  report: Report,
) {
  const settings = directory.settings.groups
  const byDn = new Map<string, string>()
  if (!settings) return { byDn, counts: noCounts }
  const { db, client } = run
  const { memberOf } = directory.settings.members
  const byMember = memberOf === ''
  const importedCodes = await listImportedCodes(db, 'group', directoryId)
  const codeOwners = await listCodeOwners(db, 'group')
  const groups = new Map<string, Group>()
  await sql`create temp table staged_membership (key text not null, member text not null) on commit drop`.execute(
    db,
  )
  const attributes = [settings.key, ...templateAttributes(settings.code, settings.name)]
  async function* memberships() {
    for await (const entry of entriesOf(connection, settings?.base ?? '', {
      filter: settings?.filter ?? '',
      attributes: byMember ? [...attributes, settings?.member ?? ''] : attributes,
    })) {
      const values = attributesOf(entry)
      const group = readGroup(entry.dn, values)
      if (!group) continue
      for await (const member of membersOf(connection, entry.dn, values, settings?.member ?? ''))
        yield [group.key, settings?.memberIs === 'dn' ? normalizeDn(member) : member.toLowerCase()]
    }
  }
  function readGroup(dn: string, values: Attributes): Group | undefined {
    const key = valuesOf(values, settings?.key ?? '')[0] ?? ''
    const code = importedCodes.get(key) ?? renderTemplate(settings?.code ?? '', values)
    const issue = findIssue()
    if (issue) {
      report.issue(report.number('group', dn), issue)
      return undefined
    }
    const group = {
      key,
      code,
      dn,
      name: renderTemplate(settings?.name ?? '', values).slice(0, 100) || code,
    }
    groups.set(code, group)
    byDn.set(normalizeDn(dn), code)
    return group
    function findIssue() {
      if (key === '') return `the entry has no ${settings?.key}`
      if (groups.has(code)) return `code ${code} is already used by ${groups.get(code)?.dn}`
      const owner = importedCodes.has(key) ? undefined : codeOwners.get(code)
      if (owner) return `code ${code} belongs to another entry of the directory ${owner}`
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
    // If membership is stored on the people, nested groups are stored on the groups in the same way.
    const nested: { dn: string; within: string }[] = []
    for await (const entry of entriesOf(connection, settings.base, {
      filter: settings.filter,
      attributes: [...attributes, memberOf],
    })) {
      const values = attributesOf(entry)
      if (!readGroup(entry.dn, values)) continue
      for (const within of valuesOf(values, memberOf))
        nested.push({ dn: normalizeDn(entry.dn), within: normalizeDn(within) })
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
 * Resolves nested groups into `nested_group` (key, within), which includes each group in itself. Resolved here among
 * the imported groups, because directories differ: some resolve them in every query, some only for
 * LDAP_MATCHING_RULE_IN_CHAIN at the cost of one query per group, most not at all.
 */
async function stageNesting(
  { db, client }: Import,
  groups: readonly Group[],
  resolvesNesting: boolean,
) {
  await sql`create temp table staged_group (key text not null, dn text not null) on commit drop`.execute(
    db,
  )
  await copyInto(
    client,
    'staged_group',
    ['key', 'dn'],
    groups.map(({ key, dn }) => [key, normalizeDn(dn)]),
  )
  await sql`
    create temp table nested_group on commit drop as
    with recursive step as materialized (
      select staged_group.key, membership.key as within
      from staged_membership membership join staged_group on staged_group.dn = membership.member
      where ${resolvesNesting}::boolean),
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
