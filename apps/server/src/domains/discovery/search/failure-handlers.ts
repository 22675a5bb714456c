import type { searchFailures } from '@atrium/contract/discovery/search.operator'
import { addSynonyms } from '#domains/services/services/search.ts'
import { fail } from '#platform/http/errors.ts'
import type { Handlers } from '#platform/http/serve.ts'
import {
  countResults,
  decideFailure,
  findFailure,
  gatherFailures,
  listFailures,
} from './failures.ts'
import { flushStatistics } from './statistics.ts'

export const searchFailureHandlers: Handlers<typeof searchFailures> = {
  list: ({ db, query }) => listFailures(db, query),

  async gather({ platform, db }) {
    await flushStatistics(platform)
    await gatherFailures(platform)
    return listFailures(db, {})
  },

  async decide({ platform, db, params: { id }, body: { decision, words = [] } }) {
    const failure = (await findFailure(db, id)) ?? fail('search.failure_not_found')
    const synonyms = words.map((word) => word.trim()).filter(Boolean)
    if (decision === 'synonym' && synonyms.length === 0)
      fail('request.invalid', { fields: { words: 'required' } })
    const before = failure.foundBefore ?? (await countResults(platform, failure.words))
    if (decision === 'synonym') {
      await addSynonyms(platform, [failure.words, ...synonyms])
    }
    const now = await countResults(platform, failure.words)
    await decideFailure(db, id, decision, { before, now })
    return (await findFailure(db, id)) ?? fail('search.failure_not_found')
  },
}
