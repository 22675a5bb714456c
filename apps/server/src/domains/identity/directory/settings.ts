import { X509Certificate } from 'node:crypto'
import type { DirectorySettings } from '@atrium/contract/identity/directory'
import { sql } from 'kysely'
import { FilterParser } from 'ldapts'
import type { Db } from '#platform/database/db.ts'
import type { IssueKind } from '#platform/http/errors.ts'

/** Issues by field with settings that fit the schema; undefined if they are valid. */
export async function settingsIssues(
  db: Db,
  settings: DirectorySettings,
): Promise<Record<string, IssueKind> | undefined> {
  const issues: Record<string, IssueKind> = {}
  const check = (field: string, isValid: boolean, kind: IssueKind = 'format') => {
    if (!isValid) issues[field] = kind
  }
  for (const [index, server] of settings.servers.entries())
    check(`servers.${index}`, isServer(server))
  check('ca', settings.ca === '' || isCertificate(settings.ca))
  check('schedule', settings.schedule === '' || isCron(settings.schedule))
  const { members, organizations, groups } = settings
  check('members.filter', isFilter(members.filter))
  check('members.username', members.username !== '', 'required')
  check('members.name', members.name !== '', 'required')
  check('members.identity', members.identity !== '', 'required')
  check(
    'members.organizationElse',
    members.organization !== '' || organizations !== null || members.organizationElse !== '',
    'required',
  )
  if (organizations) {
    check('organizations.filter', isFilter(organizations.filter))
    check('organizations.code', organizations.code !== '', 'required')
    check('organizations.name', organizations.name !== '', 'required')
  }
  if (groups) {
    check('groups.filter', isFilter(groups.filter))
    check('groups.code', groups.code !== '', 'required')
  }
  const organizationCodes = [members.organizationElse, organizations?.under ?? ''].filter(Boolean)
  const existing = await listCodes(db, 'organization', organizationCodes)
  check('members.organizationElse', isIn(existing, members.organizationElse), 'unknown')
  check('organizations.under', isIn(existing, organizations?.under ?? ''), 'unknown')
  const codes = Object.values(members.identities)
  const identities = await listCodes(db, 'identity_type', codes)
  check(
    'members.identities',
    codes.every((code) => identities.has(code)),
    'unknown',
  )
  return Object.keys(issues).length > 0 ? issues : undefined
}

const isIn = (existing: Set<string>, code: string) => code === '' || existing.has(code)

async function listCodes(db: Db, table: 'organization' | 'identity_type', codes: string[]) {
  const rows = await db
    .selectFrom(table)
    .select('code')
    .where('code', '=', sql<string>`any(${codes}::text[])`)
    .execute()
  return new Set(rows.map(({ code }) => code))
}

function isServer(server: string) {
  if (!URL.canParse(server)) return false
  const { hostname, port, pathname, username } = new URL(server)
  return hostname !== '' && port !== '0' && pathname.length <= 1 && username === ''
}

function isCertificate(pem: string) {
  try {
    return new X509Certificate(pem).subject !== undefined
  } catch {
    return false
  }
}

function isFilter(filter: string) {
  try {
    return FilterParser.parseString(filter) !== undefined
  } catch {
    return false
  }
}

const ranges = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const

/** Whether this is a cron expression: five fields of numbers, lists, ranges and steps. */
export function isCron(text: string): boolean {
  const fields = text.split(' ')
  return (
    fields.length === ranges.length &&
    fields.every((field, index) =>
      field.split(',').every((part) => {
        const [, first, last, step] =
          /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(part) ?? []
        if (!/^(\*|\d{1,2}(-\d{1,2})?)(\/\d{1,2})?$/.test(part)) return false
        const [min, max] = ranges[index] as readonly [number, number]
        const isInRange = (number: string | undefined) =>
          number === undefined || (Number(number) >= min && Number(number) <= max)
        return (
          isInRange(first) &&
          isInRange(last) &&
          (last === undefined || Number(first) <= Number(last)) &&
          (step === undefined || Number(step) > 0)
        )
      }),
    )
  )
}
