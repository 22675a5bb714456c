import type { factorReset } from '@atrium/contract/second-factor'
import { findAccountByUsername } from '#areas/identity/queries.ts'
import { fail } from '#platform/errors.ts'
import type { Handlers } from '#platform/serve.ts'
import { resetFactors } from './reset.ts'

export const factorResetHandlers: Handlers<typeof factorReset> = {
  async reset({ db, params }) {
    const account = (await findAccountByUsername(db, params.username)) ?? fail('account.not_found')
    return { removed: await resetFactors(db, account.personId) }
  },
}
