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
 * An action that shows its change at once: the cached answer of `query` changes before the call, so that the next
 * change builds on it, even on another screen. After the last call of the queue the answer is read again.
 */
export function useOptimisticAction<E extends Endpoint, T>(
  endpoint: E,
  {
    query: { queryKey },
    update,
    done,
    failed,
    ...options
  }: ActionOptions<E> & {
    query: { queryKey: DataTag<QueryKey, T, Error> }
    update: (before: T, input: Input<E>) => T
    queue: string
  },
) {
  function reread() {
    // Before the last call, the server would return less than what is shown. A call counts until its callbacks end.
    const pending = queryClient.isMutating({
      predicate: ({ options: { scope } }) => scope?.id === options.queue,
    })
    if (pending <= 1) void queryClient.invalidateQueries({ queryKey, exact: true })
  }
  const action = useAction(endpoint, {
    ...options,
    done(reply, input) {
      reread()
      done?.(reply, input)
    },
    failed(error, input) {
      reread()
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
