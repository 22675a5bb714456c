import { get, Id, Nullable, OneOf, post, type Static, T, Time } from '../define.ts'

/** Why a search counts as failed: no results, no result opened, or an answer marked as bad. */
export const failureKinds = ['notFound', 'notOpened', 'badAnswer'] as const
export const decisions = ['synonym', 'answer', 'guide', 'nothing'] as const

export const SearchFailure = T.Object(
  {
    id: Id,
    words: T.String({ description: 'the most frequent wording' }),
    wordings: T.Array(T.String(), {
      description: 'queries with the same meaning, most frequent first',
    }),
    kind: OneOf(failureKinds),
    searches: T.Integer({ description: 'number of failed searches in the last 90 days' }),
    lastAt: Time,
    decision: Nullable(OneOf(decisions)),
    decidedAt: Nullable(Time),
    foundBefore: Nullable(
      T.Integer({ description: 'number of results visible to everybody before the decision' }),
    ),
    foundNow: Nullable(
      T.Integer({ description: 'number of results visible to everybody after the decision' }),
    ),
  },
  { $id: 'SearchFailure' },
)
export type SearchFailure = Static<typeof SearchFailure>

const params = T.Object({ id: Id })
const content = { access: 'operator', permission: 'content' } as const

export const searchFailures = {
  list: get('/console-api/v1/search-failures', {
    ...content,
    summary:
      'List failed searches, most frequent first; wordings used by fewer than three people are left out',
    query: T.Object({
      kind: T.Optional(OneOf(failureKinds)),
      decided: T.Optional(T.Boolean({ default: false })),
    }),
    reply: T.Array(SearchFailure),
  }),
  gather: post('/console-api/v1/search-failures/gather', {
    ...content,
    summary: 'Collect failed searches now; otherwise done hourly',
    reply: T.Array(SearchFailure, { description: 'failed searches without a decision' }),
  }),
  decide: post('/console-api/v1/search-failures/{id}/decision', {
    ...content,
    summary:
      'Record the decision on a failed search; the search is repeated to count its results now',
    params,
    body: T.Object({
      decision: OneOf(decisions),
      words: T.Optional(
        T.Array(T.String({ minLength: 1, maxLength: 40 }), {
          maxItems: 20,
          description: 'synonym: words with the same meaning',
        }),
      ),
    }),
    reply: SearchFailure,
    errors: ['search.failure_not_found'],
  }),
}
