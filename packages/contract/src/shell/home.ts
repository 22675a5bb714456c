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
    fixed: T.Boolean({ description: 'the institution does not allow hiding it' }),
  },
  { $id: 'HomeBlock' },
)
export type HomeBlock = Static<typeof HomeBlock>

export const HomeArrangement = T.Object(
  {
    blocks: T.Array(HomeBlock),
    own: T.Boolean({ description: 'arranged by the member' }),
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
    now: T.String({ description: 'time of the server, ISO 8601' }),
    timeZone: T.String({
      description: "time zone of the day shown: the member's, or the institution's",
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
      T.Array(Place, { description: "places of today's events; absent on older servers" }),
    ),
    changes: T.Array(OccurrenceChange, {
      description: 'changes since yesterday to upcoming events',
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
            'eCard, books, mailbox: cached data is missing or outdated; their own endpoints query the source system',
        }),
      ),
    }),
    notices: Nullable(
      T.Array(T.Object({ id: T.String(), title: T.String(), titleEn: T.String() })),
    ),
    news: Nullable(
      T.Object({
        columns: T.Array(Column),
        list: T.Array(ArticleSummary, { description: 'first articles of the first column' }),
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

/** The tabs that can be painted for one member. */
export const paintableTabs = [
  '/pages/tab/service/index',
  '/pages/msgCenterTab/newtask/newtask',
  '/pages/tab/schedule/schedule',
  '/pages/tab/my/my',
] as const
export type PaintableTab = (typeof paintableTabs)[number]

export const PaintedTab = T.Object(
  {
    markup: T.String({ description: 'HTML of the page' }),
    css: T.String({ description: 'rules for its `data-style` attributes' }),
    title: T.String(),
    lang: T.String(),
  },
  { $id: 'PaintedTab' },
)
export type PaintedTab = Static<typeof PaintedTab>

export const home = {
  read: get('/portal-api/v1/home', {
    summary: 'Get everything the home tab shows',
    access: 'guest',
    reply: Home,
  }),
  paintedTab: get('/portal-api/v1/home/paintedTab', {
    summary: 'Get a tab as HTML, for a first start on a slow line',
    description:
      "Rendered with the components of the portal and the data of the member; for visitors only the services. `null` if the portal would show something else first, if the device is not in the institution's time zone, or if the server is busy.",
    access: 'guest',
    query: T.Object({
      path: OneOf(paintableTabs),
      timeZone: T.String({ maxLength: 64, description: 'time zone of the device' }),
    }),
    reply: Nullable(PaintedTab),
  }),
  arrangement: get('/portal-api/v1/home/arrangement', {
    summary: "Get the blocks of home in the member's arrangement, including hidden ones",
    access: 'member',
    reply: HomeArrangement,
  }),
  arrange: put('/portal-api/v1/home/arrangement', {
    summary: 'Set which blocks home shows, and their order; omitted blocks follow unchanged',
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
    summary: "Reset home to the institution's arrangement",
    access: 'member',
    reply: HomeArrangement,
  }),
}
