import type { Permission } from '@atrium/contract/define'
import { permissionsAnywhere } from '#platform/permissions.ts'

/** What is done at the workbench; who may do none of it has none. */
export const departmentPermissions = [
  'content',
  'services',
  'messages',
] as const satisfies Permission[]

export const ownPermissions = (viewer: Parameters<typeof permissionsAnywhere>[0]) =>
  departmentPermissions.filter((one) => permissionsAnywhere(viewer).includes(one))
