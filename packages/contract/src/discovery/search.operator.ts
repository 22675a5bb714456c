import { get, Id, Nullable, OneOf, post, type Static, T, Time } from '../define.ts'

/** Why a search counts as failed: no results, no result opened, or an answer marked as bad. */
export const failureKinds = ['notFound', 'notOpened', 'badAnswer'] as const
export const decisions = ['synonym', 'answer', 'guide', 'nothing'] as const

export const SearchFailure = T.Object(
  {
    id: Id,
    words: T.String({ description: 'the most frequent wording' }),
    wordings: T.Array(T.String(), { description: 'what means the same, the most frequent first' }),
    kind: OneOf(failureKinds),
    searches: T.Integer({ description: 'in the last 90 days' }),
    lastAt: Time,
    decision: Nullable(OneOf(decisions)),
    decidedAt: Nullable(Time),
    foundBefore: Nullable(T.Integer({ description: 'results for everybody before the decision' })),
    foundNow: Nullable(T.Integer({ description: 'results for everybody after it' })),
  },
  { $id: 'SearchFailure' },
)
export type SearchFailure = Static<typeof SearchFailure>

const params = T.Object({ id: Id })
const content = { access: 'operator', permission: 'content' } as const

export const searchFailures = {
  list: get('/console-api/v1/search-failures', {
    ...content,
    summary: 'What was searched for in vain, by frequency; no wording of fewer than three people',
    query: T.Object({
      kind: T.Optional(OneOf(failureKinds)),
      decided: T.Optional(T.Boolean({ default: false })),
    }),
    reply: T.Array(SearchFailure),
  }),
  gather: post('/console-api/v1/search-failures/gather', {
    ...content,
    summary: 'Gathers now what was searched for in vain; otherwise it is done each hour',
    reply: T.Array(SearchFailure, { description: 'those that wait for a decision' }),
  }),
  decide: post('/console-api/v1/search-failures/{id}/decision', {
    ...content,
    summary: 'What was done about it; the search is tried again and says what it finds now',
    params,
    body: T.Object({
      decision: OneOf(decisions),
      words: T.Optional(
        T.Array(T.String({ minLength: 1, maxLength: 40 }), {
          maxItems: 20,
          description: 'for a synonym: what it means the same as',
        }),
      ),
    }),
    reply: SearchFailure,
    errors: ['search.failure_not_found'],
  }),
}
