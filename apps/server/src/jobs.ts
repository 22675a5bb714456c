import { forwardEvents } from '#areas/events/forward.ts'
import { dropOldPartitions, ensurePartitions } from '#areas/events/partitions.ts'
import { clearAuthenticationLog } from '#areas/identity/authentication-log.ts'
import { deleteExpired } from '#areas/identity/queries.ts'
import { deleteOldCodes } from '#areas/passwordless/codes.ts'
import { closeAccounts } from '#areas/privacy/close-accounts.ts'
import { buildExports, clearExports } from '#areas/privacy/export.ts'
import { listToExpand, writeOccurrences } from '#areas/schedule/queries.ts'
import { deleteExpiredChallenges } from '#areas/second-factor/queries.ts'
import { updateUseCounts } from '#areas/services/queries.ts'
import { deleteOldSessions } from '#areas/sessions/queries.ts'
import { writeCheckpoint } from '#platform/audit.ts'
import type { Job } from '#platform/jobs.ts'
import { deleteOldMessages } from '#platform/outbox-worker.ts'
import type { Platform } from '#platform/platform.ts'
import { tendSigningKeys } from '#platform/signing-keys.ts'

/** Every background job. */
export const jobs = (platform: Platform): Job[] => {
  const { db, env } = platform
  return [
    { name: 'identity-clear', cron: '20 * * * *', run: () => deleteExpired(db) },
    { name: 'second-factor-clear', cron: '25 * * * *', run: () => deleteExpiredChallenges(db) },
    {
      name: 'outbox-clear',
      cron: '30 3 * * *',
      run: async () => void (await deleteOldMessages(db)),
    },
    { name: 'codes-clear', cron: '50 * * * *', run: () => deleteOldCodes(db) },
    {
      name: 'sessions-clear',
      cron: '25 18 * * *',
      async run() {
        await deleteOldSessions(db)
        await clearAuthenticationLog(platform)
      },
    },
    { name: 'keys-tend', cron: '5 18 * * *', run: () => tendSigningKeys(db, platform.secret) },
    {
      name: 'outbox-clear',
      cron: '30 3 * * *',
      run: async () => void (await deleteOldMessages(db)),
    },
    { name: 'codes-clear', cron: '50 * * * *', run: () => deleteOldCodes(db) },
    {
      name: 'schedule-expand',
      cron: '40 18 * * *',
      async run() {
        const due = await listToExpand(db)
        await writeOccurrences(
          db,
          due.map((event) => event.id),
          new Date(),
        )
      },
    },
    { name: 'services-count-use', cron: '*/15 * * * *', run: () => updateUseCounts(db) },
    { name: 'privacy-export', cron: '* * * * *', run: () => buildExports(platform) },
    { name: 'privacy-export-clear', cron: '25 * * * *', run: () => clearExports(platform) },
    { name: 'privacy-close', cron: '35 * * * *', run: () => closeAccounts(platform) },
    { name: 'audit-checkpoint', cron: '50 * * * *', run: () => writeCheckpoint(platform) },
    // Once a minute: an outside collector that was away is told the rest soon after it is back.
    { name: 'events-forward', cron: '* * * * *', run: () => forwardEvents(platform) },
    {
      name: 'events-partitions',
      cron: '10 3 * * *',
      async run() {
        await ensurePartitions(db)
        await dropOldPartitions(db, env.ATRIUM_EVENT_MONTHS)
      },
    },
  ]
}
