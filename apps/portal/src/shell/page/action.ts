import type { Endpoint, Input, Reply } from '@atrium/contract/define'
import { useMutation } from '@tanstack/react-query'
import { ApiError, call } from '#lib/api.ts'
import { invalidate } from '#lib/queries.ts'
import { toast } from '#ui/feedback/toast.tsx'

/** A mutation. A failure is shown once, as a toast, unless `failed` returns true. */
export function useAction<E extends Endpoint>(
  endpoint: E,
  options: {
    done?: (reply: Reply<E>, input: Input<E>) => void
    failed?: (error: ApiError, input: Input<E>) => boolean
    /** Endpoints to invalidate on success. */
    invalidates?: readonly Endpoint[]
    /** Calls with the same queue run one after the other, so the last choice wins. */
    queue?: string
  } = {},
) {
  return useMutation({
    mutationFn: (input: Input<E>) => call(endpoint, input),
    ...(options.queue && { scope: { id: options.queue } }),
    onSuccess: (reply, input) => {
      invalidate(...(options.invalidates ?? []))
      options.done?.(reply, input)
    },
    onError: (error, input) => {
      if (!(error instanceof ApiError && options.failed?.(error, input))) toast(error.message)
    },
  })
}
