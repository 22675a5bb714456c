import { ArticleSummary, Column } from '../content/news.ts'
import { get, Nullable, type Static, T } from '../define.ts'
import { Books, ECard, Mailbox } from '../member/personal-sources.ts'
import { Service } from '../services/services.ts'
import { Occurrence, OccurrenceChange, Term } from '../work/schedule.ts'
import { TaskLine } from '../work/tasks.ts'
import { Place } from './map.ts'

/** What a visitor has none of is empty or null. A part that could not be read is null, so that one failing source leaves the others standing. */
export const Home = T.Object(
  {
    now: T.String({ description: 'the server’s clock, ISO 8601' }),
    timeZone: T.String({
      description: 'where today begins: the member’s zone, or the institution’s',
    }),
    who: Nullable(
      T.Object({
        userName: T.String(),
        userNameEn: T.String(),
        identityTypeName: T.String(),
        identityTypeNameEn: T.String(),
        organizationName: T.String(),
        organizationNameEn: T.String(),
      }),
    ),
    quick: Nullable(T.Array(Service)),
    today: Nullable(T.Array(Occurrence)),
    // in the evening, by the member's clock
    tomorrow: T.Optional(Nullable(T.Array(Occurrence))),
    // around noon, by the member's clock
    canteens: T.Optional(Nullable(T.Array(Place))),
    changes: T.Array(OccurrenceChange, {
      description: 'what changed since yesterday, of what is still to come',
    }),
    term: Nullable(Term),
    todo: Nullable(T.Object({ total: T.Integer(), list: T.Array(TaskLine) })),
    cards: T.Object({
      eCard: Nullable(ECard),
      books: Nullable(Books),
      mailbox: Nullable(Mailbox),
      pending: T.Optional(
        T.Array(T.String(), {
          description:
            'eCard, books, mailbox: what is kept is too old, or there is none yet; its own call asks the system',
        }),
      ),
    }),
    notices: Nullable(
      T.Array(T.Object({ id: T.String(), title: T.String(), titleEn: T.String() })),
    ),
    news: Nullable(
      T.Object({
        columns: T.Array(Column),
        list: T.Array(ArticleSummary, { description: 'the beginning of the first column' }),
      }),
    ),
    // what others like the member look for, of which one stands in the search field
    hints: T.Optional(T.Array(T.Object({ text: T.String(), textEn: T.String() }))),
    unread: T.Integer(),
  },
  { $id: 'Home' },
)
export type Home = Static<typeof Home>

export const home = {
  read: get('/portal-api/v1/home', {
    summary: 'What the home tab shows, in one answer',
    access: 'guest',
    reply: Home,
  }),
}
