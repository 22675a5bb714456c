import type { sendingChannels } from '@atrium/contract/work/sending'
import type { sendingOperations } from '@atrium/contract/work/sending.operator'
import { sql } from 'kysely'
import { fail } from '#platform/http/errors.ts'
import { pageOf } from '#platform/http/paging.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { getPolicy, savePolicy } from './policy.ts'
import { deliveredCount, displayStatus } from './queries.ts'

type Channel = (typeof sendingChannels)[number]

export const sendingOperatorHandlers: Handlers<typeof sendingOperations> = {
  policy: ({ db }) => getPolicy(db),
  async setPolicy({ db, body }) {
    if (body.hours && body.hours.from === body.hours.until)
      fail('request.invalid', { fields: { 'hours.until': 'range' } })
    await savePolicy(db, body)
    return body
  },

  async list({ db, query: { status, ...query } }) {
    const { pageNo, pageSize, offset } = pageOf(query)
    const chosen = db
      .selectFrom('sending')
      .where('sending.test', '=', false)
      .$if(status !== undefined, (query) => query.where(displayStatus, '=', status as never))
    const [list, { total }] = await Promise.all([
      chosen
        .leftJoin('account', 'account.id', 'sending.author_account_id')
        .leftJoin('organization', 'organization.id', 'account.organization_id')
        .select([
          'sending.id as sendId',
          'sending.title',
          'sending.author',
          sql<string>`coalesce(organization.name, '')`.as('organization'),
          displayStatus.as('status'),
          'sending.send_at as sendTime',
          sql<number>`coalesce(sending.recipients, sending.expected)`.as('recipients'),
          deliveredCount.as('delivered'),
          // Only a message being sent has a rate.
          sql<number | null>`case when sending.status = 'sending' then round((
            select count(*) from sending_recipient recipient
            where recipient.sending_id = sending.id and recipient.delivered_at > now() - interval '1 minute') / 60.0, 1)::float8 end`.as(
            'perSecond',
          ),
        ])
        .orderBy('sending.id', 'desc')
        .limit(pageSize)
        .offset(offset)
        .execute(),
      chosen.select(sql<number>`count(*)::integer`.as('total')).executeTakeFirstOrThrow(),
    ])
    return { list, total, pageNo, pageSize }
  },

  async summary({ platform, db, query: { month } }) {
    const { timeZone } = await currentSettings(platform)
    const first = Temporal.PlainYearMonth.from(month).toPlainDate({ day: 1 })
    const edge = (day: Temporal.PlainDate) =>
      new Date(day.toZonedDateTime(timeZone).epochMilliseconds).toISOString()
    const [from, until] = [edge(first), edge(first.add({ months: 1 }))]
    const [departments, sent, failures] = await Promise.all([
      sql<{ organization: string; messages: number; recipients: number }>`
        select coalesce(organization.name, '') as organization, count(*)::integer as messages,
          coalesce(sum(sending.recipients), 0)::integer as recipients
        from sending
        left join account on account.id = sending.author_account_id
        left join organization on organization.id = account.organization_id
        where sending.message_id is not null and sending.send_at >= ${from} and sending.send_at < ${until}
        group by 1 order by 3 desc, 1 limit 200`.execute(db),
      sql<{ organization: string; channel: Channel; sent: number }>`
        select coalesce(organization.name, '') as organization, note.channel, count(*)::integer as sent
        from sending_channel note join sending on sending.id = note.sending_id
        left join account on account.id = sending.author_account_id
        left join organization on organization.id = account.organization_id
        where note.status = 'sent' and note.queued_at >= ${from} and note.queued_at < ${until}
        group by 1, 2 order by 2`.execute(db),
      sql<{ channel: Channel; error: string; count: number }>`
        select channel, error, count(*)::integer as count from sending_channel
        where status = 'failed' and queued_at >= ${from} and queued_at < ${until}
        group by channel, error order by 3 desc, 1, 2 limit 50`.execute(db),
    ])
    const byDepartment = Map.groupBy(sent.rows, ({ organization }) => organization)
    return {
      departments: departments.rows.map((row) => ({
        ...row,
        channels: (byDepartment.get(row.organization) ?? []).map(({ channel, sent }) => ({
          channel,
          sent,
        })),
      })),
      failures: failures.rows,
    }
  },
}
