import type { RobotStatus } from '@atrium/contract/discovery/robot'
import type { Db } from '#platform/database/db.ts'
import { extension } from '#platform/extension.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'

/** The service desks available to a member. */
export const deskSources = extension<{
  list: (platform: Platform, viewer: Member) => Promise<RobotStatus['desks']>
  /** Called in the same transaction when the member writes in a dialog at a desk. */
  written: (db: Db, dialogId: string) => Promise<void>
}>()
