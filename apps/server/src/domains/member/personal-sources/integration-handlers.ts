import type { personalIntegration } from '@atrium/contract/member/personal-sources'
import { sql } from 'kysely'
import type { Handlers } from '#platform/http/serve.ts'
import { readPersonal } from './read-personal.ts'

export const personalIntegrationHandlers: Handlers<typeof personalIntegration> = {
  async changed({ platform, db, body: { kind, usernames } }) {
    const accounts = await db
      .selectFrom('account')
      .innerJoin('personal_card', 'personal_card.account_id', 'account.id')
      .select('account.id')
      .where('personal_card.kind', '=', kind)
      .where('account.status', '=', 'active')
      .where(
        'account.username',
        '=',
        sql<string>`any(${usernames.map((one) => one.toLowerCase())}::text[])`,
      )
      .execute()
    const cards = await Promise.all(
      // Members without stored data have not opened the page yet; theirs is read when they do.
      accounts.map(({ id }) => readPersonal(platform, id, kind, { forceRefresh: true })),
    )
    return { asked: cards.filter(({ source, isStale }) => source && !isStale).length }
  },
}
