import { type SearchKind, type search, searchKinds } from '@atrium/contract/discovery/search'
import { fail } from '#platform/http/errors.ts'
import { pageOf } from '#platform/http/paging.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { searchAll } from './find.ts'
import { addToHistory, clearHistory, readHistory, setHistoryEnabled } from './history.ts'
import { normalizeQuery } from './parse-query.ts'
import { readPerson } from './people.ts'
import { countOpened, countSearch, listHot } from './statistics.ts'
import { suggest } from './suggest.ts'

export const searchHandlers: Handlers<typeof search> = {
  async find({ platform, viewer, query }) {
    const { keyWords, types, exactly } = query
    const words = wordsOf(keyWords)
    const { pageSize, offset } = pageOf(query)
    const reply = await searchAll(platform, viewer, words, {
      ...(types && { kinds: kindsOf(types) }),
      limit: pageSize,
      offset,
      exactly: exactly ?? false,
    })
    // Only searches of all kinds are counted: those of one kind continue the same search.
    if (!types && offset === 0) {
      const hasResults = reply.answer !== null || reply.groups.some(({ list }) => list.length > 0)
      const complete = reply.groups.every(({ state }) => state === 'ready')
      const outcome = reply.answer
        ? 'answered'
        : hasResults && !reply.corrected
          ? 'found'
          : 'notFound'
      if (hasResults || complete) await countSearch(platform, viewer, words, outcome)
      if (viewer.signedIn) await addToHistory(platform.db, viewer.accountId, normalizeQuery(words))
    }
    return reply
  },

  suggest: ({ platform, viewer, query }) => suggest(platform, viewer, wordsOf(query.keyWords)),

  hot: ({ platform, viewer }) => listHot(platform, viewer),

  async opened({ platform, viewer, body }) {
    await countOpened(platform, viewer, wordsOf(body.keyWords), body)
    return null
  },

  history: ({ db, viewer }) => readHistory(db, viewer),

  keepHistory: ({ platform, viewer, body }) =>
    platform.db.transaction().execute(async (db) => {
      await setHistoryEnabled(db, viewer, body.kept)
      return readHistory(db, viewer)
    }),

  async clearHistory({ db, viewer, query }) {
    await clearHistory(db, viewer.accountId, query.keyWords && normalizeQuery(query.keyWords))
    return readHistory(db, viewer)
  },

  person: async ({ platform, viewer, params: { id } }) =>
    (await readPerson(platform, viewer, id)) ?? fail('search.person_not_found'),
}

/** @throws request.invalid if there are no words */
function wordsOf(keyWords: string) {
  if (!normalizeQuery(keyWords)) fail('request.invalid', { fields: { keyWords: 'required' } })
  return keyWords
}

/** @throws search.kind_unknown */
function kindsOf(types: string): ReadonlySet<SearchKind> {
  const kinds = types.split(',').map((type) => type.trim())
  const isKind = (kind: string): kind is SearchKind =>
    (searchKinds as readonly string[]).includes(kind)
  return kinds.every(isKind) ? new Set(kinds) : fail('search.kind_unknown')
}
