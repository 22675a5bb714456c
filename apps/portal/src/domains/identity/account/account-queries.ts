import type { Endpoint, Reply } from '@atrium/contract/define'
import { account } from '@atrium/contract/identity/account'
import { personal } from '@atrium/contract/member/personal'
import { useQuery } from '@tanstack/react-query'
import { ApiError, call, type Given } from '#lib/api.ts'
import { q, refresh, setAnswer } from '#lib/queries.ts'
import { useAction } from '#shell/page/action.ts'
import { toast } from '#ui/feedback/toast.tsx'

/** What is due is never read from before: it passes by itself. */
export const useSecurity = () => useQuery({ ...q(account.security), staleTime: 0 })

type Change = Exclude<(typeof account)[keyof typeof account], typeof account.security>
type Answering = Extract<Change, { reply: typeof account.security.reply }>

/** A call that answers how the account is secured afterwards, which every screen then knows. */
export const useChange = <E extends Answering>(
  endpoint: E,
  options: { done: () => void; failed?: (error: ApiError) => boolean },
) =>
  useAction(endpoint, {
    ...(options.failed && { failed: options.failed }),
    done(reply) {
      // First away from here: a page that is still open would ask again for what was just used up.
      options.done()
      setAnswer(q(account.security), reply as Reply<typeof account.security>)
      refresh(personal.me)
    },
  })

type Sending = typeof account.sendOldCode | typeof account.sendNewCode

/** Sends a code. @returns how many milliseconds the next one waits; where it cannot be sent, it says why and throws */
export async function sendCode<E extends Sending & Endpoint>(endpoint: E, ...[input]: Given<E>) {
  try {
    const { retryAfter } = (await call(endpoint, input as never)) as { retryAfter: number }
    return retryAfter * 1000
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    toast(error.message)
    if (error.retryAfter > 0) return error.retryAfter * 1000
    throw error
  }
}
