import { get, Nullable, OneOf, post, type Static, T, Time } from '../define.ts'
import { personalKinds } from './personal-source.ts'

const amount = (description: string) => T.String({ description })
/** Age of the data, and whether it is outdated because the system could not be reached. */
const age = { asOf: T.Optional(Time), stale: T.Optional(T.Boolean()) }

export const ECard = T.Object(
  {
    balance: amount('decimal, in CNY'),
    cardNo: T.String({ description: 'last four digits' }),
    asOf: Time,
    stale: T.Optional(T.Boolean({ description: 'the card system could not be reached' })),
    status: T.Optional(OneOf(['active', 'frozen', 'lost'])),
    paymentLimit: T.Optional(amount('per payment, or empty')),
    dayLimit: T.Optional(amount('per day, or empty')),
    mayFreeze: T.Optional(
      T.Boolean({ description: 'the card system supports freezing from the portal' }),
    ),
  },
  { $id: 'ECard' },
)
export type ECard = Static<typeof ECard>

export const CardEntry = T.Object(
  {
    at: Time,
    place: T.String(),
    placeEn: T.String({ description: 'or empty' }),
    amount: amount('negative: spent'),
  },
  { $id: 'CardEntry' },
)
export const CardMonth = T.Object(
  {
    month: T.String({ description: 'YYYY-MM' }),
    months: T.Array(
      T.Object({ month: T.String(), spent: amount('positive'), added: amount('positive') }),
      { description: 'newest first; at most twelve' },
    ),
    days: T.Array(T.Object({ day: T.String(), spent: amount('positive') }), {
      description: 'days of the month with spending',
    }),
    list: T.Array(CardEntry, { description: 'entries of the month, newest first' }),
    ...age,
  },
  { $id: 'CardMonth' },
)
export type CardMonth = Static<typeof CardMonth>

const Loan = T.Object({
  title: T.String(),
  dueOn: T.String(),
  id: T.Optional(T.String({ description: 'id for renewal; absent: cannot be renewed' })),
  author: T.Optional(T.String()),
  place: T.Optional(T.String()),
  placeEn: T.Optional(T.String()),
})
export const Books = T.Object(
  {
    borrowed: T.Integer(),
    dueSoon: T.Integer(),
    list: T.Array(Loan),
    history: T.Optional(T.Array(T.Object({ title: T.String(), returnedOn: T.String() }))),
    ...age,
  },
  { $id: 'Books' },
)
export type Books = Static<typeof Books>

export const Mailbox = T.Object(
  {
    unread: T.Integer(),
    address: T.String(),
    total: T.Optional(T.Integer()),
    list: T.Optional(
      T.Array(T.Object({ subject: T.String(), from: T.String(), at: T.String() }), {
        description: 'latest mails, newest first',
      }),
    ),
    url: T.Optional(T.String({ description: 'address of the webmail, or empty' })),
    ...age,
  },
  { $id: 'Mailbox' },
)
export type Mailbox = Static<typeof Mailbox>

export const Research = T.Object(
  {
    projects: T.Array(
      T.Object({
        title: T.String(),
        role: T.String(),
        funder: T.String(),
        amount: amount('amount, or empty'),
        startsOn: T.String(),
        endsOn: T.String(),
      }),
    ),
    papers: T.Array(
      T.Object({
        title: T.String(),
        venue: T.String(),
        year: T.String(),
        citations: T.String(),
        url: T.String({ description: 'https, or empty' }),
      }),
    ),
    figures: T.Array(T.Object({ label: T.String(), labelEn: T.String(), value: T.String() })),
    ...age,
  },
  { $id: 'Research' },
)
export type Research = Static<typeof Research>

export const InfoCards = T.Object(
  {
    list: T.Array(
      T.Object({
        title: T.String(),
        titleEn: T.String(),
        value: T.String(),
        note: T.String(),
        noteEn: T.String(),
        url: T.String({ description: 'https address or path of the portal, or empty' }),
      }),
    ),
    ...age,
  },
  { $id: 'InfoCards' },
)
export type InfoCards = Static<typeof InfoCards>

/** `0`: answer from the cache immediately. Otherwise the system is queried if the cached data is too old. */
const wait = T.Object({ wait: T.Optional(OneOf(['0', '1'], { default: '1' })) })
const errors = ['personal.source_down'] as const

export const personalSources = {
  eCard: get('/portal-api/v2/personalData/getMyECard', {
    summary: 'Get the campus card; null if the member has none',
    access: 'member',
    query: wait,
    reply: Nullable(ECard),
    errors,
  }),
  eCardData: get('/portal-api/v1/personalData/getECardDataList', {
    summary: 'Get the transactions of the campus card in a month',
    access: 'member',
    query: T.Object({
      month: T.Optional(
        T.String({
          pattern: '^\\d{4}-(0[1-9]|1[0-2])$',
          description: 'YYYY-MM; default: the latest month',
        }),
      ),
    }),
    reply: Nullable(CardMonth),
    errors,
  }),
  books: get('/portal-api/v2/personalData/getMyBooks', {
    summary: 'Get the books on loan; null if the member is unknown to the library',
    access: 'member',
    query: wait,
    reply: Nullable(Books),
    errors,
  }),
  renew: post('/portal-api/v1/personal-data/books/renew', {
    summary: 'Renew a loan',
    access: 'member',
    body: T.Object({ id: T.String({ minLength: 1, maxLength: 100 }) }),
    reply: Nullable(Books),
    errors: ['personal.source_down', 'personal.source_refused', 'personal.source_cannot'],
  }),
  mailbox: get('/portal-api/v2/personalData/getMailbox', {
    summary: 'Get unread mail; null if the member has no mailbox',
    access: 'member',
    query: wait,
    reply: Nullable(Mailbox),
    errors,
  }),
  research: get('/portal-api/v1/personalData/getScientificResearch', {
    summary: 'Get research projects, papers and figures; null if the member has none',
    access: 'member',
    query: wait,
    reply: Nullable(Research),
    errors,
  }),
  overview: get('/portal-api/v1/personal-data', {
    summary: 'Get which personal data exists, with cached counts; no source system is queried',
    access: 'member',
    reply: T.Object({
      eCard: T.Boolean(),
      books: Nullable(T.Object({ borrowed: T.Integer(), dueSoon: T.Integer() })),
      mailbox: Nullable(T.Object({ unread: T.Integer() })),
      research: Nullable(T.Object({ papers: T.Integer(), projects: T.Integer() })),
      infoCards: T.Boolean(),
    }),
  }),
  infoCards: get('/portal-api/v1/thrid-adapter/get-person-info-card-list', {
    summary: 'Get further information about the member from other systems',
    access: 'member',
    query: wait,
    reply: Nullable(InfoCards),
    errors,
  }),
}

/** Maximum members named in one call. */
const maxChanged = 20

/** Change notifications from systems whose data the portal caches. */
export const personalIntegration = {
  changed: post('/personal/api/v1/integration/changed', {
    summary: 'Report changed data of members, which is then fetched again immediately',
    access: 'integration',
    body: T.Object({
      kind: OneOf(personalKinds),
      usernames: T.Array(T.String({ minLength: 1, maxLength: 128 }), {
        minItems: 1,
        maxItems: maxChanged,
      }),
    }),
    reply: T.Object({
      asked: T.Integer({ description: 'number of members whose data was fetched' }),
    }),
    errors: ['request.invalid'],
  }),
}
