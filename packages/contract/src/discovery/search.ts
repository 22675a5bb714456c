import { del, get, Icon, Id, Nullable, OneOf, post, put, type Static, T, Time } from '../define.ts'

/** Kinds of search results, in the order of the tabs above the results. */
export const searchKinds = [
  'service',
  'guide',
  'question',
  'page',
  'place',
  'person',
  'news',
  'column',
  'message',
  'task',
  'todo',
  'event',
  'file',
] as const
export type SearchKind = (typeof searchKinds)[number]

/** Maximum length of a query; longer ones are refused. */
export const maxSearchLength = 100

export const SearchResult = T.Object(
  {
    kind: OneOf(searchKinds),
    id: T.String({ description: 'unique among results of the same kind' }),
    title: T.String(),
    titleEn: T.String({ description: 'empty: only `title` exists' }),
    text: T.String({ description: 'one line of description, or empty' }),
    textEn: T.String(),
    icon: Nullable(Icon),
    iconUrl: T.String({ description: 'address of an uploaded icon; empty: draw `icon`' }),
    at: Nullable(Time),
    firstDay: T.Optional(
      T.String({
        description:
          "all-day event: its day, YYYY-MM-DD in the event's own time zone; absent: `at` is a time",
      }),
    ),
    to: T.String({
      description: 'address to open, in the portal or on the web; empty: use `serviceId` or `id`',
    }),
    serviceId: Nullable(Id),
  },
  { $id: 'SearchResult' },
)
export type SearchResult = Static<typeof SearchResult>

export const SearchGroup = T.Object(
  {
    kind: OneOf(searchKinds),
    list: T.Array(SearchResult),
    more: T.Boolean({ description: 'there are more results on the next page' }),
    state: OneOf(['ready', 'late', 'failed']),
  },
  { $id: 'SearchGroup' },
)
export type SearchGroup = Static<typeof SearchGroup>

const Both = { name: T.String(), nameEn: T.String() }
/** A direct answer to a question, instead of a link to one. */
export const SearchAnswer = T.Object(
  {
    kind: OneOf(['hours', 'lesson', 'card', 'person', 'question', 'guide', 'page']),
    title: T.String(),
    titleEn: T.String(),
    text: T.String(),
    textEn: T.String(),
    at: Nullable(Time),
    facts: T.Array(T.Object({ ...Both, value: T.String(), valueEn: T.String() })),
    ways: T.Array(
      T.Object({
        ...Both,
        to: T.String({ description: 'an address in the portal or on the web, or `tel:`' }),
        serviceId: Nullable(Id),
      }),
      { description: 'suggested actions, most likely first' },
    ),
    field: Nullable(
      T.Object(
        {
          ...Both,
          value: T.String({ description: 'value taken from the query' }),
          to: T.String({ description: 'address, with {keyWords} in place of the value' }),
        },
        { description: 'a field of a service page that can be filled in before opening it' },
      ),
    ),
  },
  { $id: 'SearchAnswer' },
)
export type SearchAnswer = Static<typeof SearchAnswer>

export const SearchReply = T.Object(
  {
    keyWords: T.String(),
    corrected: Nullable(
      T.String({ description: 'the corrected query that was searched for instead' }),
    ),
    answer: Nullable(SearchAnswer),
    groups: T.Array(SearchGroup, {
      description: 'best group first; kinds without results are left out',
    }),
  },
  { $id: 'SearchReply' },
)
export type SearchReply = Static<typeof SearchReply>

export const Suggestion = T.Object(
  {
    text: T.String({ description: 'the query it stands for' }),
    textEn: T.String(),
    kind: OneOf(['history', 'word', 'service', 'guide', 'question', 'page', 'place', 'column']),
    to: T.String({ description: 'address to open; empty: search for `text`' }),
    serviceId: Nullable(Id),
  },
  { $id: 'SearchSuggestion' },
)
export type Suggestion = Static<typeof Suggestion>

export const SearchHistory = T.Object(
  {
    kept: T.Boolean({ description: 'searches are stored on the server, for all devices' }),
    list: T.Array(T.String(), { description: 'newest first' }),
  },
  { $id: 'SearchHistory' },
)
export type SearchHistory = Static<typeof SearchHistory>

/** A person, as the address book shows them to the caller. */
export const FoundPerson = T.Object(
  {
    accountName: T.String({ description: 'username in the address book' }),
    name: T.String(),
    nameEn: T.String(),
    organization: T.String(),
    organizationEn: T.String(),
    identityType: T.String(),
    identityTypeEn: T.String(),
    portraitUrl: T.String(),
    mobile: Nullable(T.String({ description: 'null: none, or not shown to the caller' })),
    email: Nullable(T.String()),
  },
  { $id: 'FoundPerson' },
)
export type FoundPerson = Static<typeof FoundPerson>

const keyWords = T.String({ minLength: 1, maxLength: maxSearchLength })

export const search = {
  find: get('/portal-api/v1/search', {
    summary: 'Search everything the caller may see, grouped by kind',
    access: 'guest',
    query: T.Object({
      keyWords,
      types: T.Optional(
        T.String({ maxLength: 200, description: 'kinds, comma-separated; absent: all' }),
      ),
      pageNo: T.Optional(T.Integer({ minimum: 1, maximum: 50, default: 1 })),
      pageSize: T.Optional(T.Integer({ minimum: 1, maximum: 9999, default: 20 })),
      exactly: T.Optional(
        T.Boolean({
          default: false,
          description: 'search for exactly these words, without correction',
        }),
      ),
    }),
    reply: SearchReply,
    errors: ['search.kind_unknown'],
  }),
  suggest: get('/portal-api/v1/search/suggest', {
    summary: 'Suggest completions of a query',
    access: 'guest',
    query: T.Object({ keyWords }),
    reply: T.Array(Suggestion),
  }),
  hot: get('/portal-api/v1/search/hot', {
    summary: 'List popular searches of the last seven days among similar members',
    access: 'guest',
    reply: T.Array(T.String()),
  }),
  opened: post('/portal-api/v1/search/opened', {
    summary:
      'Record that a result was opened, which ranks it higher for similar members; stored anonymously',
    access: 'guest',
    body: T.Object({
      keyWords,
      kind: OneOf(searchKinds),
      id: T.String({ minLength: 1, maxLength: 60 }),
    }),
    reply: T.Null(),
  }),
  history: get('/portal-api/v1/search/history', {
    summary: "List the caller's own searches",
    access: 'member',
    reply: SearchHistory,
  }),
  keepHistory: put('/portal-api/v1/search/history', {
    summary: "Turn the storage of the caller's searches on or off; turning it off deletes them",
    access: 'member',
    body: T.Object({ kept: T.Boolean() }),
    reply: SearchHistory,
  }),
  clearHistory: del('/portal-api/v1/search/history', {
    summary: "Delete the caller's searches, or only the given one",
    access: 'member',
    query: T.Object({ keyWords: T.Optional(keyWords) }),
    reply: SearchHistory,
  }),
  person: get('/portal-api/v1/search/people/{id}', {
    summary: 'Get a person found by a search, with the contact details they show to the caller',
    access: 'member',
    params: T.Object({ id: Id }),
    reply: FoundPerson,
    errors: ['search.person_not_found', 'request.too_many'],
  }),
}
