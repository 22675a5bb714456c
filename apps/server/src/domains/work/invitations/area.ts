import type { Area } from '#platform/area.ts'
import { deleteOldInvitations } from './queries.ts'
import { readReplies } from './read-replies.ts'
import { deleteOldAttempts } from './reply-attempts.ts'
import { startInvitations } from './worker.ts'

export const invitationsArea: Area = {
  name: 'invitations',
  workers: (platform) => [startInvitations(platform)],
  jobs: (platform) => [
    {
      name: 'invitations-forget',
      cron: '35 19 * * *',
      async run() {
        await deleteOldInvitations(platform.db)
        await deleteOldAttempts(platform.db)
      },
    },
    ...(platform.env.ATRIUM_MAIL_REPLIES
      ? [{ name: 'invitation-replies', cron: '* * * * *', run: () => readReplies(platform) }]
      : []),
  ],
}
