import type { Permission } from '@atrium/contract/define'
import type { audit, members, operators, roles } from '@atrium/contract/identity/operators.operator'
import { findAccountByUsername } from '#domains/identity/identity/queries.ts'
import { assertMayActOn } from '#domains/identity/members/operated-person.ts'
import { hideEmail, hideMobile } from '#domains/member/personal/rules.ts'
import { verifyAudit } from '#platform/audit.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { cursorPage, cursorShapes, pageSizeOf, readCursor } from '#platform/http/paging.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { hasAll, mayOperate, operatedIn, permissionsAnywhere } from '#platform/permissions.ts'
import type { Platform } from '#platform/platform.ts'
import {
  announceRoleChange,
  deleteGrant,
  deleteRole,
  findOrganization,
  findRole,
  hasSystemOperator,
  insertGrant,
  insertRole,
  listAudit,
  listGrants,
  listMembers,
  listRoles,
  lockGrants,
  updateRole,
} from './queries.ts'

/** Runs a change of permissions; such changes are serialised. */
async function change<T>(platform: Platform, work: (db: Db) => Promise<T>): Promise<T> {
  return platform.db.transaction().execute(async (db) => {
    await lockGrants(db)
    return work(db)
  })
}

function assertHolds(
  viewer: Member,
  required: readonly Permission[],
  path: readonly string[] | null,
) {
  if (!hasAll(viewer, required, path)) fail('operator.beyond_own')
}

/** Requires that a system operator remains: without one, the change could not be undone. */
async function assertSystemOperator(db: Db, revoked: readonly Permission[]) {
  if (revoked.includes('system') && !(await hasSystemOperator(db))) fail('operator.last_system')
}

const getCustomRole = async (db: Db, id: string) => {
  const role = await findRole(db, { id })
  return role && !role.builtIn ? role : fail('operator.role_not_found')
}

export const roleHandlers: Handlers<typeof roles> = {
  list: ({ db }) => listRoles(db),

  create: ({ platform, viewer, body }) =>
    change(platform, async (db) => {
      assertHolds(viewer, body.permissions, null)
      return (await insertRole(db, body)) ?? fail('operator.role_taken')
    }),

  update: ({ platform, viewer, params: { id }, body }) =>
    change(platform, async (db) => {
      const before = await getCustomRole(db, id)
      assertHolds(viewer, [...before.permissions, ...body.permissions], null)
      const role = await updateRole(db, id, body)
      await assertSystemOperator(db, before.permissions)
      await announceRoleChange(db, id)
      return role
    }),

  remove: ({ platform, viewer, params: { id } }) =>
    change(platform, async (db) => {
      const role = await getCustomRole(db, id)
      assertHolds(viewer, role.permissions, null)
      await announceRoleChange(db, id)
      await deleteRole(db, id)
      await assertSystemOperator(db, role.permissions)
      return null
    }),
}

type GrantRow = Awaited<ReturnType<typeof listGrants>>[number]

const toGrant = ({
  path: _path,
  personId: _personId,
  organizationCode: code,
  organizationName,
  organizationNameEn,
  ...row
}: GrantRow) => ({
  ...row,
  organization:
    code === null ? null : { code, name: organizationName ?? '', nameEn: organizationNameEn ?? '' },
})

export const operatorHandlers: Handlers<typeof operators> = {
  own: async ({ viewer }) => permissionsAnywhere(viewer),

  list: async ({ db, viewer }) =>
    (await listGrants(db)).filter(({ path }) => mayOperate(viewer, 'identity', path)).map(toGrant),

  grant: ({ platform, viewer, body }) =>
    change(platform, async (db) => {
      const organization = body.organization ? await findOrganization(db, body.organization) : null
      if (organization === undefined)
        return fail('request.invalid', { fields: { organization: 'unknown' } })
      const path = organization?.path ?? null
      // An operator of a part may grant permissions in that part, to any account.
      if (!mayOperate(viewer, 'identity', path)) fail('operator.beyond_own')
      const role = body.role ? await findRole(db, { code: body.role }) : null
      if (role === undefined) return fail('request.invalid', { fields: { role: 'unknown' } })
      if ((role === null) === (body.permission === undefined))
        return fail('request.invalid', { fields: { permission: 'required' } })
      const permissions = role?.permissions ?? [body.permission as Permission]
      assertHolds(viewer, permissions, path)
      const account = await findAccountByUsername(db, body.username)
      if (!account || account.status === 'disabled') return fail('operator.account_not_found')
      const id = await insertGrant(db, {
        accountId: account.id,
        what: role ? { roleId: role.id } : { permission: body.permission as Permission },
        organizationId: organization?.id ?? null,
      })
      if (!id) return fail('operator.granted_before')
      const [grant] = await listGrants(db, { id })
      return grant ? toGrant(grant) : fail('operator.grant_not_found')
    }),

  revoke: ({ platform, viewer, params: { id } }) =>
    change(platform, async (db) => {
      const [grant] = await listGrants(db, { id })
      if (!grant || !mayOperate(viewer, 'identity', grant.path))
        return fail('operator.grant_not_found')
      assertHolds(viewer, grant.permissions, grant.path)
      await assertMayActOn(db, viewer, grant.personId)
      if (!(await deleteGrant(db, id))) fail('operator.grant_not_found')
      await assertSystemOperator(db, grant.permissions)
      return null
    }),
}

export const memberHandlers: Handlers<typeof members> = {
  async find({ db, viewer, query }) {
    const words = query.q.trim()
    if (words.length < 2) return fail('request.invalid', { fields: { q: 'length' } })
    const rows = await listMembers(db, words, operatedIn(viewer, 'identity'))
    return rows.map(
      ({ organizationCode, organizationName, organizationNameEn, mobile, email, ...row }) => ({
        ...row,
        status: row.status as 'inactive' | 'active' | 'disabled',
        mobile: hideMobile(mobile),
        email: hideEmail(email),
        organization: {
          code: organizationCode,
          name: organizationName,
          nameEn: organizationNameEn,
        },
      }),
    )
  },
}

export const auditHandlers: Handlers<typeof audit> = {
  async list({ db, query }) {
    const [before] = readCursor(query.cursor, [cursorShapes.id]) ?? []
    const pageSize = pageSizeOf(query)
    const rows = await listAudit(db, query, before, pageSize + 1)
    return cursorPage(
      rows,
      pageSize,
      (row) => [row.id],
      (row) => ({
        ...row,
        channel: row.channel as 'api' | 'cli' | 'job',
        details: JSON.parse(row.details) as unknown,
      }),
    )
  },

  async verify({ db, platform }) {
    const state = await verifyAudit(db, platform.secret)
    return { intact: state.broken === null, ...state }
  },
}
