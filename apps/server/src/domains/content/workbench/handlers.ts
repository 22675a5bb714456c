import type { workbench } from '@atrium/contract/content/workbench.operator'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { inDepartment } from '#platform/operated-department.ts'
import { searchWorkbench } from './find.ts'
import { readParts } from './parts.ts'
import { findDepartment, listDepartments, listIdentityTypes, listNames } from './queries.ts'
import { departmentPermissions, ownPermissions } from './rules.ts'

/** The caller's rights restricted to one department, or all of them. @throws session.forbidden */
async function operatorOf(db: Db, viewer: Member, department: string | undefined) {
  if (ownPermissions(viewer).length === 0) fail('session.forbidden')
  const operator = await inDepartment(db, viewer, department)
  if (ownPermissions(operator).length === 0) fail('workbench.department_not_found')
  return operator
}

const operatesInstitution = (viewer: Member) =>
  departmentPermissions.some((one) => viewer.permissions.includes(one))

export const workbenchHandlers: Handlers<typeof workbench> = {
  async read({ db, platform, viewer, query: { department }, request }) {
    const operator = await operatorOf(db, viewer, department)
    const [departments, chosen, parts] = await Promise.all([
      listDepartments(db, viewer),
      department ? findDepartment(db, department) : undefined,
      readParts(platform, operator, (part, error) =>
        request.log.error({ err: error, part }, 'a part of the workbench could not be read'),
      ),
    ])
    return {
      departments,
      whole: operatesInstitution(viewer),
      department: chosen ?? null,
      permissions: ownPermissions(operator),
      parts,
    }
  },

  async find({ db, platform, viewer, query: { department, keyWords }, request }) {
    const operator = await operatorOf(db, viewer, department)
    return searchWorkbench(platform, operator, keyWords.trim(), (kind, error) =>
      request.log.error({ err: error, kind }, 'the workbench could not be searched'),
    )
  },

  async audiences({ db, viewer, query: { targets = '' } }) {
    await operatorOf(db, viewer, undefined)
    const codes = targets.split(',').filter(Boolean).slice(0, 100)
    const [identityTypes, departments, names] = await Promise.all([
      listIdentityTypes(db),
      listDepartments(db, viewer),
      codes.length > 0 ? listNames(db, codes) : [],
    ])
    return { whole: operatesInstitution(viewer), identityTypes, departments, names }
  },
}
