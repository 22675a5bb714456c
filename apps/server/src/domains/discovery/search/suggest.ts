import type { SearchKind, Suggestion } from '@atrium/contract/discovery/search'
import { currentSynonyms } from '#domains/services/services/search.ts'
import type { Viewer } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import { findEntries } from './entry-index.ts'
import { matchHistory } from './history.ts'
import { readLearnedWeights } from './learned.ts'
import { normalizeQuery, parseQuery } from './parse-query.ts'
import { weightOf } from './ranking.ts'
import { listHot } from './statistics.ts'

const suggestedKinds = ['service', 'guide', 'question', 'page', 'place', 'column'] as const
type SuggestedKind = (typeof suggestedKinds)[number]
const kinds: ReadonlySet<SearchKind> = new Set(suggestedKinds)
const isSuggested = (kind: SearchKind): kind is SuggestedKind => kinds.has(kind)

const maxSuggestions = 8
const maxHistory = 2
const maxWords = 2
/** Minimum weight of a suggestion. */
const minFit = 0.5

/** Suggestions for typed text: own searches, popular searches, and matching entries. */
export async function suggest(
  platform: Platform,
  viewer: Viewer,
  typed: string,
): Promise<Suggestion[]> {
  const text = normalizeQuery(typed)
  if (!text) return []
  const query = await parseQuery(text, await currentSynonyms(platform))
  const [ownSearches, hot, matches, learned] = await Promise.all([
    viewer.signedIn
      ? matchHistory(platform.db, viewer.accountId, text, maxHistory)
      : ([] as string[]),
    listHot(platform, viewer),
    findEntries(platform, viewer, query, kinds),
    readLearnedWeights(platform, viewer),
  ])
  const toSuggestion =
    (kind: 'history' | 'word') =>
    (words: string): Suggestion => ({
      kind,
      text: words,
      textEn: '',
      to: '',
      serviceId: null,
    })
  const words = [
    ...ownSearches.map(toSuggestion('history')),
    ...hot
      .filter((one) => one.startsWith(text) && one !== text && !ownSearches.includes(one))
      .slice(0, maxWords)
      .map(toSuggestion('word')),
  ]
  const entries = matches
    .map(({ kind, entry, fit }) => ({
      kind,
      entry,
      weight: weightOf(kind, fit, entry, { learned: learned(kind, entry.id) }),
    }))
    .filter(({ weight }) => weight >= minFit)
    .toSorted((one, other) => other.weight - one.weight)
    .flatMap(({ kind, entry }): Suggestion[] =>
      isSuggested(kind)
        ? [
            {
              kind,
              text: entry.title,
              textEn: entry.titleEn ?? '',
              to: entry.to?.replaceAll('{keyWords}', '') ?? '',
              serviceId: entry.serviceId ?? null,
            },
          ]
        : [],
    )
  return [...words, ...entries].slice(0, maxSuggestions)
}
