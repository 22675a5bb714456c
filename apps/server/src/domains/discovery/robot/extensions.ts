import type { RobotStatus } from '@atrium/contract/discovery/robot'
import type { Db } from '#platform/database/db.ts'
import { extension } from '#platform/extension.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'

/** The service desks that a member may turn to. */
export const deskSources = extension<{
  list: (platform: Platform, viewer: Member) => Promise<RobotStatus['desks']>
  /** Told in the same transaction that the member wrote in a dialog that a desk has. */
  written: (db: Db, dialogId: string) => Promise<void>
}>()
