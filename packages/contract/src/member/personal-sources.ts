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
    stale: T.Optional(T.Boolean({ description: 'the card system could not be asked' })),
    status: T.Optional(OneOf(['active', 'frozen', 'lost'])),
    paymentLimit: T.Optional(amount('of one payment, or empty')),
    dayLimit: T.Optional(amount('of a day, or empty')),
    mayFreeze: T.Optional(T.Boolean({ description: 'the card system takes that from here' })),
  },
  { $id: 'ECard' },
)
export type ECard = Static<typeof ECard>

export const CardEntry = T.Object(
  {
    at: Time,
    place: T.String(),
    amount: amount('what was spent is negative'),
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
      description: 'of the month, those on which something was spent',
    }),
    list: T.Array(CardEntry, { description: 'of the month, newest first' }),
    ...age,
  },
  { $id: 'CardMonth' },
)
export type CardMonth = Static<typeof CardMonth>

const Loan = T.Object({
  title: T.String(),
  dueOn: T.String(),
  id: T.Optional(T.String({ description: 'with which it is renewed; none: it cannot be' })),
  author: T.Optional(T.String()),
  place: T.Optional(T.String()),
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
        description: 'the last ones, newest first',
      }),
    ),
    url: T.Optional(T.String({ description: 'where mail is read, or empty' })),
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
        amount: amount('or empty'),
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
        url: T.String({ description: 'https or a screen of ours, or empty' }),
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
    summary: 'The campus card, or null where the member has none',
    access: 'member',
    query: wait,
    reply: Nullable(ECard),
    errors,
  }),
  eCardData: get('/portal-api/v1/personalData/getECardDataList', {
    summary: 'What was paid with the campus card in a month',
    access: 'member',
    query: T.Object({
      month: T.Optional(
        T.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])$', description: 'YYYY-MM; the newest' }),
      ),
    }),
    reply: Nullable(CardMonth),
    errors,
  }),
  books: get('/portal-api/v2/personalData/getMyBooks', {
    summary: 'Books on loan, or null where the library knows no such reader',
    access: 'member',
    query: wait,
    reply: Nullable(Books),
    errors,
  }),
  renew: post('/portal-api/v1/personal-data/books/renew', {
    summary: 'Ask the library to lend a book for longer',
    access: 'member',
    body: T.Object({ id: T.String({ minLength: 1, maxLength: 100 }) }),
    reply: Nullable(Books),
    errors: ['personal.source_down', 'personal.source_refused', 'personal.source_cannot'],
  }),
  mailbox: get('/portal-api/v2/personalData/getMailbox', {
    summary: 'Unread mail, or null without a mailbox',
    access: 'member',
    query: wait,
    reply: Nullable(Mailbox),
    errors,
  }),
  research: get('/portal-api/v1/personalData/getScientificResearch', {
    summary: 'Projects, papers and figures, or null for somebody who does no research',
    access: 'member',
    query: wait,
    reply: Nullable(Research),
    errors,
  }),
  overview: get('/portal-api/v1/personal-data', {
    summary: 'What there is of the member, with its counts as they are kept; no system is asked',
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
    summary: 'What else systems of the institution say of the member',
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
    summary: 'Something of these members has changed there: it is asked for anew, once, now',
    access: 'integration',
    body: T.Object({
      kind: OneOf(personalKinds),
      usernames: T.Array(T.String({ minLength: 1, maxLength: 128 }), {
        minItems: 1,
        maxItems: maxChanged,
      }),
    }),
    reply: T.Object({
      asked: T.Integer({ description: 'members whose data is now as the source has it' }),
    }),
    errors: ['request.invalid'],
  }),
}
