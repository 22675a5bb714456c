import { listDirectories } from '#areas/directory/queries.ts'
import { deleteOldRuns, importOnSchedule } from '#areas/directory/runs.ts'
import { fetchDueFeeds } from '#areas/editing/feeds.ts'
import { becameDue } from '#areas/editing/queries.ts'
import { clearPhotos } from '#areas/evaluation/photos.ts'
import { forwardEvents } from '#areas/events/forward.ts'
import { dropOldPartitions, ensurePartitions } from '#areas/events/partitions.ts'
import { deleteOldLogins } from '#areas/federation/queries.ts'
import { collectFiles } from '#areas/files/collect.ts'
import { scanHeld } from '#areas/files/scan-held.ts'
import { probeServices } from '#areas/health/probe.ts'
import { deleteOldMaintenance, deleteOldReports } from '#areas/health/queries.ts'
import { clearAuthenticationLog } from '#areas/identity/authentication-log.ts'
import { deleteExpired } from '#areas/identity/queries.ts'
import { forgetReaders, updatePopular } from '#areas/news/reads.ts'
import { writeMissingWords } from '#areas/news/search.ts'
import { deleteExpiredEntries } from '#areas/openid/adapter.ts'
import { deleteOldCodes } from '#areas/passwordless/codes.ts'
import { closeAccounts } from '#areas/privacy/close-accounts.ts'
import { buildExports, clearExports } from '#areas/privacy/export.ts'
import { forgetOldSessions, queueLogoutsOfOver } from '#areas/registry/single-logout.ts'
import { listToExpand, writeOccurrences } from '#areas/schedule/queries.ts'
import { deleteExpiredChallenges } from '#areas/second-factor/queries.ts'
import { updateUseCounts } from '#areas/services/queries.ts'
import { computeRankings } from '#areas/services/rankings.ts'
import { deleteOldSessions } from '#areas/sessions/queries.ts'
import { writeCheckpoint } from '#platform/audit.ts'
import { raiseTopic } from '#platform/database/topics.ts'
import { deleteOldMessages } from '#platform/delivery/outbox-worker.ts'
import type { Job, ScheduledJob } from '#platform/jobs.ts'
import type { Platform } from '#platform/platform.ts'
import { tendSigningKeys } from '#platform/signing-keys.ts'

/** Every background job. */
export const jobs = (platform: Platform): (Job | ScheduledJob)[] => {
  const { db, env } = platform
  return [
    { name: 'identity-clear', cron: '20 * * * *', run: () => deleteExpired(db) },
    {
      name: 'registry-clear',
      cron: '45 * * * *',
      async run() {
        await queueLogoutsOfOver(db)
        await forgetOldSessions(db)
      },
    },
    { name: 'second-factor-clear', cron: '25 * * * *', run: () => deleteExpiredChallenges(db) },
    {
      name: 'outbox-clear',
      cron: '30 3 * * *',
      run: async () => void (await deleteOldMessages(db)),
    },
    { name: 'codes-clear', cron: '50 * * * *', run: () => deleteOldCodes(db) },
    {
      name: 'federation-clear',
      cron: '55 * * * *',
      run: async () => void (await deleteOldLogins(db)),
    },
    {
      name: 'sessions-clear',
      cron: '25 18 * * *',
      async run() {
        await deleteOldSessions(db)
        await clearAuthenticationLog(platform)
      },
    },
    { name: 'keys-tend', cron: '5 18 * * *', run: () => tendSigningKeys(db, platform.secret) },
    { name: 'openid-clear', cron: '55 * * * *', run: () => deleteExpiredEntries(db) },
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
    { name: 'evaluation-clear-photos', cron: '20 * * * *', run: () => clearPhotos(platform) },
    // Once a minute: an article that came without its words is found soon after.
    {
      name: 'news-words',
      cron: '* * * * *',
      run: async () => void (await writeMissingWords(db)),
    },
    { name: 'news-popular', cron: '*/10 * * * *', run: () => updatePopular(db) },
    { name: 'news-readers-clear', cron: '15 * * * *', run: () => forgetReaders(db) },
    { name: 'services-count-use', cron: '*/15 * * * *', run: () => updateUseCounts(db) },
    { name: 'services-probe', cron: '* * * * *', run: () => probeServices(platform) },
    {
      name: 'services-health-clear',
      cron: '40 3 * * *',
      async run() {
        await deleteOldReports(db)
        await deleteOldMaintenance(db)
      },
    },
    { name: 'services-rank', cron: '7,22,37,52 * * * *', run: () => computeRankings(db) },
    { name: 'privacy-export', cron: '* * * * *', run: () => buildExports(platform) },
    { name: 'privacy-export-clear', cron: '25 * * * *', run: () => clearExports(platform) },
    { name: 'privacy-close', cron: '35 * * * *', run: () => closeAccounts(platform) },
    {
      // Readers find a scheduled article by its time; what was kept before it is let go of here, on every node.
      name: 'news-publish',
      cron: '* * * * *',
      async run() {
        if (await becameDue(db, 3)) await raiseTopic(db, 'news')
      },
    },
    { name: 'news-feeds', cron: '* * * * *', run: () => fetchDueFeeds(platform) },
    { name: 'audit-checkpoint', cron: '50 * * * *', run: () => writeCheckpoint(platform) },
    {
      name: 'directory-import',
      schedules: async () =>
        (await listDirectories(db)).flatMap(({ code, settings: { schedule } }) =>
          schedule ? [{ key: code, cron: schedule }] : [],
        ),
      run: (code) => importOnSchedule(platform, code),
    },
    {
      name: 'directory-clear',
      cron: '40 3 * * *',
      run: async () => void (await deleteOldRuns(db)),
    },
    { name: 'files-collect', cron: '10 19 * * *', run: () => collectFiles(platform) },
    { name: 'files-scan', cron: '* * * * *', run: () => scanHeld(platform) },
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
