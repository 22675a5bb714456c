import type { factorReset } from '@atrium/contract/identity/second-factor'
import { assertMayActOn, findOperatedPerson } from '#domains/identity/members/operated-person.ts'
import { fail } from '#platform/http/errors.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { resetFactors } from './reset.ts'

export const factorResetHandlers: Handlers<typeof factorReset> = {
  async reset({ db, viewer, params }) {
    const personId =
      (await findOperatedPerson(db, viewer, params.username)) ?? fail('account.not_found')
    await assertMayActOn(db, viewer, personId)
    return { removed: await resetFactors(db, personId) }
  },
}
