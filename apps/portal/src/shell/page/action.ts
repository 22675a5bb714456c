import type { Endpoint, Input, Reply } from '@atrium/contract/define'
import { type DataTag, type QueryKey, useMutation } from '@tanstack/react-query'
import { ApiError, call } from '#lib/api.ts'
import { invalidate, queryClient, setAnswer } from '#lib/queries.ts'
import { toast } from '#ui/feedback/toast.tsx'

type ActionOptions<E extends Endpoint> = {
  done?: (reply: Reply<E>, input: Input<E>) => void
  failed?: (error: ApiError, input: Input<E>) => boolean
  /** Endpoints to invalidate on success. */
  invalidates?: readonly Endpoint[]
  /** Calls with the same queue run one after the other, so the last choice wins. */
  queue?: string
}

/** A mutation. A failure is shown once, as a toast, unless `failed` returns true. */
export function useAction<E extends Endpoint>(endpoint: E, options: ActionOptions<E> = {}) {
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

/**
 * An action that shows its change at once: the cached answer of `query` changes before the call, so that
 * the next change builds on it, even on another screen. A failure rereads the answer.
 */
export function useOptimisticAction<E extends Endpoint, T>(
  endpoint: E,
  {
    query: { queryKey },
    update,
    failed,
    ...options
  }: ActionOptions<E> & {
    query: { queryKey: DataTag<QueryKey, T, Error> }
    update: (before: T, input: Input<E>) => T
    queue: string
  },
) {
  const action = useAction(endpoint, {
    ...options,
    failed(error, input) {
      void queryClient.invalidateQueries({ queryKey, exact: true })
      return failed?.(error, input) ?? false
    },
  })
  return {
    isPending: action.isPending,
    mutate(input: Input<E>) {
      setAnswer({ queryKey }, (before: T | undefined) => before && update(before, input))
      action.mutate(input)
    },
  }
}
