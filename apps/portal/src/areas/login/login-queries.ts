import { identity } from '@atrium/contract/identity'
import { useQuery } from '@tanstack/react-query'
import type { ApiError } from '#lib/api.ts'
import { recordEvent } from '#lib/events.ts'
import { q } from '#lib/queries.ts'
import { setSession } from '#lib/session.ts'
import { useAction } from '#shell/action.ts'

export const useLoginConfigs = () => useQuery({ ...q(identity.configs), staleTime: 10 * 60_000 })

export const usePasswordLogin = (failed: (error: ApiError) => void) =>
  useAction(identity.passwordLogin, {
    done: (answer) => {
      if ('due' in answer) return
      setSession(answer.idToken)
      recordEvent('accoutLogin')
    },
    failed: (error) => {
      failed(error)
      return true
    },
  })
