import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import type { Member } from '#platform/http/guard.ts'
import { departmentPermissions } from './rules.ts'

const maxDepartments = 300
const columns = [
  'organization.code',
  'organization.name',
  'organization.name_en as nameEn',
] as const

export const findDepartment = (db: Db, code: string) =>
  db.selectFrom('organization').select(columns).where('code', '=', code).executeTakeFirst()

/** The departments granted to an operator; for operators of the whole institution, those with something to manage. */
export function listDepartments(db: Db, viewer: Member) {
  const query = db.selectFrom('organization').select(['organization.id', ...columns])
  const isInstitutionWide = departmentPermissions.some((one) => viewer.permissions.includes(one))
  const grantedCodes = departmentPermissions.flatMap((one) => viewer.permissionsIn[one] ?? [])
  return query
    .where(
      isInstitutionWide
        ? sql<boolean>`(exists (select from news_column where organization_id = organization.id)
            or exists (select from service where organization_id = organization.id)
            or exists (select from mailbox where organization_id = organization.id)
            or exists (select from calendar where organization_id = organization.id)
            or organization.code = any(${grantedCodes}::text[]))`
        : sql<boolean>`organization.code = any(${grantedCodes}::text[])`,
    )
    .orderBy('organization.position')
    .orderBy('organization.id')
    .limit(maxDepartments)
    .execute()
}

export const listIdentityTypes = (db: Db) =>
  db
    .selectFrom('identity_type')
    .select(['code', 'name', 'name_en as nameEn'])
    .orderBy('code')
    .limit(100)
    .execute()

/** Names of organisations and groups by their codes. */
export async function listNames(db: Db, codes: readonly string[]) {
  const anyCode = sql<string>`any(${codes as string[]}::text[])`
  const [organizations, groups] = await Promise.all([
    db.selectFrom('organization').select(columns).where('code', '=', anyCode).limit(100).execute(),
    db
      .selectFrom('member_group')
      .select(['code', 'name', 'name_en as nameEn'])
      .where('code', '=', anyCode)
      .limit(100)
      .execute(),
  ])
  return [
    ...organizations.map((one) => ({ kind: 'organization' as const, ...one })),
    ...groups.map((one) => ({ kind: 'group' as const, ...one })),
  ]
}

/** The number of confirmations of each announcement. */
export async function countConfirmed(db: Db, ids: readonly string[]) {
  const rows = await db
    .selectFrom('announcement_confirmation')
    .select(['article_id', sql<number>`count(*)::integer`.as('count')])
    .where('article_id', '=', sql<string>`any(${ids as string[]}::bigint[])`)
    .groupBy('article_id')
    .execute()
  return new Map(rows.map(({ article_id, count }) => [article_id, count]))
}
