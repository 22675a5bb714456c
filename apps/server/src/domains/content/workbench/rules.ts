import type { Permission } from '@atrium/contract/define'
import { permissionsAnywhere } from '#platform/permissions.ts'

/** What is done for a department. */
export const departmentPermissions = [
  'content',
  'services',
  'messages',
] as const satisfies Permission[]

/** What somebody does at the workbench; who may do none of it has none. The systems around it are of no department. */
export const ownPermissions = (viewer: Parameters<typeof permissionsAnywhere>[0]) =>
  permissionsAnywhere(viewer).filter(
    (one) => one === 'system' || departmentPermissions.some((known) => known === one),
  )
