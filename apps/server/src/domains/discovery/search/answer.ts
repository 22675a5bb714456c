import type { SearchAnswer } from '@atrium/contract/discovery/search'
import type { Viewer } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import { type ParsedQuery, searchable } from '#platform/search-source.ts'
import { withTimeout } from '#platform/with-timeout.ts'
import { bestMatch, findEntries } from './entry-index.ts'
import { parseQuery } from './parse-query.ts'

/** The first answer from the areas, in their order; a source that fails or is late is skipped. */
export async function findDirectAnswer(
  platform: Platform,
  viewer: Viewer,
  query: ParsedQuery,
  milliseconds: number,
): Promise<SearchAnswer | null> {
  const sources = searchable.all().flatMap(({ answers }) => answers ?? [])
  const answers = await Promise.all(
    sources.map((source) => {
      const answer = source(platform, viewer, query, async (kind, text) =>
        bestMatch(
          await findEntries(platform, viewer, await parseQuery(text, new Map()), new Set([kind])),
        ),
      ).catch((error) => {
        platform.log.warn({ err: error }, 'an answer to a search failed')
        return undefined
      })
      return withTimeout(milliseconds, answer, undefined)
    }),
  )
  return answers.find((answer) => answer !== undefined) ?? null
}
