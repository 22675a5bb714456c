import type { Permission } from '@atrium/contract/define'
import { permissionsAnywhere } from '#platform/permissions.ts'

/** Permissions that can be granted per department. */
export const departmentPermissions = [
  'content',
  'services',
  'messages',
] as const satisfies Permission[]

/**
 * Permissions that count at the workbench; without any of them it is refused. `system` covers connected systems, which
 * belong to no department.
 */
export const ownPermissions = (viewer: Parameters<typeof permissionsAnywhere>[0]) =>
  permissionsAnywhere(viewer).filter(
    (one) => one === 'system' || departmentPermissions.some((known) => known === one),
  )
