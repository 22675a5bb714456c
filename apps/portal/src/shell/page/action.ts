import type { Endpoint, Input, Reply } from '@atrium/contract/define'
import { useMutation } from '@tanstack/react-query'
import { ApiError, call } from '#lib/api.ts'
import { refresh } from '#lib/queries.ts'
import { toast } from '#ui/feedback/toast.tsx'

/** A call that changes something. Its failure is told once, as a toast, unless `failed` returns true. */
export function useAction<E extends Endpoint>(
  endpoint: E,
  options: {
    done?: (reply: Reply<E>, input: Input<E>) => void
    failed?: (error: ApiError, input: Input<E>) => boolean
    /** What this call makes out of date. */
    refresh?: readonly Endpoint[]
    /** Calls of one queue go out one after the other: the last choice is the one that stays. */
    queue?: string
  } = {},
) {
  return useMutation({
    mutationFn: (input: Input<E>) => call(endpoint, input),
    ...(options.queue && { scope: { id: options.queue } }),
    onSuccess: (reply, input) => {
      refresh(...(options.refresh ?? []))
      options.done?.(reply, input)
    },
    onError: (error, input) => {
      if (!(error instanceof ApiError && options.failed?.(error, input))) toast(error.message)
    },
  })
}
