import { ArticleSummary, Column } from '../content/news.ts'
import { del, get, Nullable, OneOf, put, type Static, T } from '../define.ts'
import { Books, ECard, Mailbox } from '../member/personal-sources.ts'
import { Service } from '../services/services.ts'
import { Occurrence, OccurrenceChange, Term } from '../work/schedule.ts'
import { TaskLine } from '../work/tasks.ts'
import { Place } from './map.ts'

/** Blocks below the day view on home. */
export const homeBlocks = ['quick', 'slides', 'todo', 'cards', 'notices', 'news'] as const

export const HomeBlock = T.Object(
  {
    block: OneOf(homeBlocks),
    shown: T.Boolean(),
    fixed: T.Boolean({ description: 'the institution wants it shown' }),
  },
  { $id: 'HomeBlock' },
)
export type HomeBlock = Static<typeof HomeBlock>

export const HomeArrangement = T.Object(
  {
    blocks: T.Array(HomeBlock),
    own: T.Boolean({ description: 'the member has arranged them' }),
  },
  { $id: 'HomeArrangement' },
)
export type HomeArrangement = Static<typeof HomeArrangement>

/**
 * Parts that a visitor does not have are empty or null. A part that could not be read is null, so one failing source
 * leaves the others intact.
 */
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
    // in the evening, in the member's time zone
    tomorrow: T.Optional(Nullable(T.Array(Occurrence))),
    // around noon, in the member's time zone
    canteens: T.Optional(Nullable(T.Array(Place))),
    places: T.Optional(
      T.Array(Place, { description: 'where today takes place; left out by older servers' }),
    ),
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
    // popular searches of similar members; one is shown in the search field
    hints: T.Optional(T.Array(T.Object({ text: T.String(), textEn: T.String() }))),
    unread: T.Integer(),
    // in the viewer's order; omitted by older servers
    blocks: T.Optional(T.Array(OneOf(homeBlocks))),
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
  arrangement: get('/portal-api/v1/home/arrangement', {
    summary: 'The blocks of home as the member has arranged them, hidden ones too',
    access: 'member',
    reply: HomeArrangement,
  }),
  arrange: put('/portal-api/v1/home/arrangement', {
    summary:
      'Choose what home shows and in which order; blocks that are left out follow as they were',
    access: 'member',
    body: T.Object({
      blocks: T.Array(T.Object({ block: OneOf(homeBlocks), shown: T.Boolean() }), {
        minItems: 1,
        maxItems: homeBlocks.length,
      }),
    }),
    reply: HomeArrangement,
    errors: ['home.block_not_found', 'home.block_fixed', 'home.block_twice'],
  }),
  resetArrangement: del('/portal-api/v1/home/arrangement', {
    summary: 'Back to what the institution proposes',
    access: 'member',
    reply: HomeArrangement,
  }),
}
