import { get, Id, Nullable, post, T, Time } from '../define.ts'

const params = T.Object({ id: Id })
const errors = ['news.not_found', 'announcement.not_asked'] as const

/** When the caller confirmed reading an announcement; null: not yet. */
export const Reading = T.Object({ confirmedAt: Nullable(Time) }, { $id: 'AnnouncementReading' })

export const announcements = {
  reading: get('/portal-api/v1/announcements/{id}/reading', {
    summary: 'Whether the caller has confirmed reading an announcement that asks for it',
    access: 'member',
    params,
    reply: Reading,
    errors,
  }),
  confirm: post('/portal-api/v1/announcements/{id}/reading', {
    summary: 'Confirms reading it; a second time changes nothing',
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
    summary: 'How many have confirmed reading it, by organisation; few are counted together',
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
          { description: 'organisations with too few readers to be counted by themselves' },
        ),
      ),
      remindedAt: Nullable(Time),
    }),
    errors,
  }),
  remind: post('/console-api/news/articles/{id}/reminder', {
    summary: 'A message to everybody who has not confirmed it; once in 24 hours',
    access: 'operator',
    permission: 'content',
    delegated: true,
    params,
    reply: T.Object({ reminded: T.Integer() }),
    errors: [...errors, 'announcement.reminded_before'],
  }),
}
