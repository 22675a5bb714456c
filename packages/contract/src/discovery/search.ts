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
    id: T.String({ description: 'names it among those of its kind' }),
    title: T.String(),
    titleEn: T.String({ description: 'empty: there is only `title`' }),
    text: T.String({ description: 'a line about it; empty: none' }),
    textEn: T.String(),
    icon: Nullable(Icon),
    iconUrl: T.String({ description: 'an uploaded icon; empty: draw `icon`' }),
    at: Nullable(Time),
    to: T.String({
      description: 'the address it opens, in the portal or on the web; empty: see serviceId, id',
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
    more: T.Boolean({ description: 'there are results on the next page' }),
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
      { description: 'what one can do about it, the most likely first' },
    ),
    field: Nullable(
      T.Object(
        {
          ...Both,
          value: T.String({ description: 'what the search already said' }),
          to: T.String({ description: 'with {keyWords} where the value goes' }),
        },
        { description: 'a field of a page of a service, filled in before that is opened' },
      ),
    ),
  },
  { $id: 'SearchAnswer' },
)
export type SearchAnswer = Static<typeof SearchAnswer>

export const SearchReply = T.Object(
  {
    keyWords: T.String(),
    corrected: Nullable(T.String({ description: 'what was searched for instead' })),
    answer: Nullable(SearchAnswer),
    groups: T.Array(SearchGroup, {
      description: 'the best first; kinds without a result left out',
    }),
  },
  { $id: 'SearchReply' },
)
export type SearchReply = Static<typeof SearchReply>

export const Suggestion = T.Object(
  {
    text: T.String({ description: 'what is searched for when it is chosen' }),
    textEn: T.String(),
    kind: OneOf(['history', 'word', 'service', 'guide', 'question', 'page', 'place', 'column']),
    to: T.String({ description: 'empty: it is searched for' }),
    serviceId: Nullable(Id),
  },
  { $id: 'SearchSuggestion' },
)
export type Suggestion = Static<typeof Suggestion>

export const SearchHistory = T.Object(
  {
    kept: T.Boolean({ description: 'searches are kept on the server, for all devices' }),
    list: T.Array(T.String(), { description: 'the newest first' }),
  },
  { $id: 'SearchHistory' },
)
export type SearchHistory = Static<typeof SearchHistory>

/** A person, as the address book shows them to the caller. */
export const FoundPerson = T.Object(
  {
    accountName: T.String({ description: 'under which the address book has them' }),
    name: T.String(),
    nameEn: T.String(),
    organization: T.String(),
    organizationEn: T.String(),
    identityType: T.String(),
    identityTypeEn: T.String(),
    portraitUrl: T.String(),
    mobile: Nullable(T.String({ description: 'null: there is none, or it is not shown' })),
    email: Nullable(T.String()),
  },
  { $id: 'FoundPerson' },
)
export type FoundPerson = Static<typeof FoundPerson>

const keyWords = T.String({ minLength: 1, maxLength: maxSearchLength })

export const search = {
  find: get('/portal-api/v1/search', {
    summary: 'Searches everything the caller may see, grouped by kind',
    access: 'guest',
    query: T.Object({
      keyWords,
      types: T.Optional(
        T.String({ maxLength: 200, description: 'kinds, with commas; without: all' }),
      ),
      pageNo: T.Optional(T.Integer({ minimum: 1, maximum: 50, default: 1 })),
      pageSize: T.Optional(T.Integer({ minimum: 1, maximum: 9999, default: 20 })),
      exactly: T.Optional(T.Boolean({ default: false, description: 'without correction' })),
    }),
    reply: SearchReply,
    errors: ['search.kind_unknown'],
  }),
  suggest: get('/portal-api/v1/search/suggest', {
    summary: 'What somebody who types this may be looking for',
    access: 'guest',
    query: T.Object({ keyWords }),
    reply: T.Array(Suggestion),
  }),
  hot: get('/portal-api/v1/search/hot', {
    summary: 'What many like the caller searched for in the last week',
    access: 'guest',
    reply: T.Array(T.String()),
  }),
  opened: post('/portal-api/v1/search/opened', {
    summary: 'A result was opened: it moves up for others like the caller; who it was is not kept',
    access: 'guest',
    body: T.Object({
      keyWords,
      kind: OneOf(searchKinds),
      id: T.String({ minLength: 1, maxLength: 60 }),
    }),
    reply: T.Null(),
  }),
  history: get('/portal-api/v1/search/history', {
    summary: 'The caller’s own searches',
    access: 'member',
    reply: SearchHistory,
  }),
  keepHistory: put('/portal-api/v1/search/history', {
    summary: 'Whether own searches are kept on the server; turned off, those kept are deleted',
    access: 'member',
    body: T.Object({ kept: T.Boolean() }),
    reply: SearchHistory,
  }),
  clearHistory: del('/portal-api/v1/search/history', {
    summary: 'Deletes own searches, or the one named',
    access: 'member',
    query: T.Object({ keyWords: T.Optional(keyWords) }),
    reply: SearchHistory,
  }),
  person: get('/portal-api/v1/search/people/{id}', {
    summary: 'A person that was found, with the contacts they show to the caller',
    access: 'member',
    params: T.Object({ id: Id }),
    reply: FoundPerson,
    errors: ['search.person_not_found', 'request.too_many'],
  }),
}
