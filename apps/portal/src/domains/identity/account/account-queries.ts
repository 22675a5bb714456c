import type { Endpoint, Reply } from '@atrium/contract/define'
import { account } from '@atrium/contract/identity/account'
import { personal } from '@atrium/contract/member/personal'
import { useQuery } from '@tanstack/react-query'
import { ApiError, call, type InputArgs } from '#lib/api.ts'
import { invalidate, q, setAnswer } from '#lib/queries.ts'
import { useAction } from '#shell/page/action.ts'
import { toast } from '#ui/feedback/toast.tsx'

/** Always fetched anew: required confirmations expire by themselves. */
export const useSecurity = () => useQuery({ ...q(account.security), staleTime: 0 })

type Change = Exclude<(typeof account)[keyof typeof account], typeof account.security>
type Answering = Extract<Change, { reply: typeof account.security.reply }>

/** A mutation whose reply is the new security state, which is stored for every screen. */
export const useChange = <E extends Answering>(
  endpoint: E,
  options: { done: () => void; failed?: (error: ApiError) => boolean },
) =>
  useAction(endpoint, {
    ...(options.failed && { failed: options.failed }),
    done(reply) {
      // First leave the page: if it stayed open, it would ask again for the confirmation just used up.
      options.done()
      setAnswer(q(account.security), reply as Reply<typeof account.security>)
      invalidate(personal.me)
    },
  })

type Sending = typeof account.sendOldCode | typeof account.sendNewCode

/** Sends a code. @returns milliseconds until the next one may be sent; shows the error and throws if sending fails */
export async function sendCode<E extends Sending & Endpoint>(
  endpoint: E,
  ...[input]: InputArgs<E>
) {
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
