import { get, Id, Nullable, post, T, Time } from '../define.ts'

const params = T.Object({ id: Id })
const errors = ['news.not_found', 'announcement.not_asked'] as const

/** When the caller confirmed reading an announcement; null: not yet. */
export const Reading = T.Object({ confirmedAt: Nullable(Time) }, { $id: 'AnnouncementReading' })

export const announcements = {
  reading: get('/portal-api/v1/announcements/{id}/reading', {
    summary: 'Get when the caller confirmed reading an announcement that requires confirmation',
    access: 'member',
    params,
    reply: Reading,
    errors,
  }),
  confirm: post('/portal-api/v1/announcements/{id}/reading', {
    summary: 'Confirm reading an announcement; repeating it changes nothing',
    access: 'member',
    params,
    reply: Reading,
    errors,
  }),
}

const Counted = T.Object({
  code: T.String(),
  name: T.String(),
  nameEn: T.String(),
  confirmed: T.Integer(),
  waiting: T.Integer(),
})

/** For operators responsible for an announcement. */
export const announcementConsole = {
  statistics: get('/console-api/news/articles/{id}/readers', {
    summary:
      'Count confirmed and pending readers of an announcement by organisation; organisations with fewer than five readers are combined',
    access: 'operator',
    permission: 'content',
    delegated: true,
    params,
    reply: T.Object({
      confirmed: T.Integer(),
      waiting: T.Integer(),
      organizations: T.Array(Counted),
      others: Nullable(
        T.Object(
          { organizations: T.Integer(), confirmed: T.Integer(), waiting: T.Integer() },
          {
            description:
              'organisations with fewer than five readers, combined; null: there are none',
          },
        ),
      ),
      remindedAt: Nullable(Time),
    }),
    errors,
  }),
  remind: post('/console-api/news/articles/{id}/reminder', {
    summary: 'Remind all readers who have not confirmed an announcement; once in 24 hours',
    access: 'operator',
    permission: 'content',
    delegated: true,
    params,
    reply: T.Object({ reminded: T.Integer() }),
    errors: [...errors, 'announcement.reminded_before'],
  }),
}
