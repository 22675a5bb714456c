import type { SignIn, SignInStep, signInSteps } from '@atrium/contract/identity/identity'
import type { ApiError } from '#lib/api.ts'
import { useAction } from '#shell/page/action.ts'

export type StepProps = {
  step: SignInStep
  onDone: (answer: SignIn) => void
  /** Called with a message if the sign-in cannot continue; with an empty one if the user cancels. */
  onOver: (text: string) => void
}

type StepCall = (typeof signInSteps)['accountChoose' | 'passwordChange' | 'agreement']

/** Submits a step. @param failed handles the step's own errors */
export const useStep = <E extends StepCall>(
  endpoint: E,
  { onDone, onOver }: Pick<StepProps, 'onDone' | 'onOver'>,
  failed?: (error: ApiError) => boolean,
) =>
  useAction<E>(endpoint, {
    done: (answer) => onDone(answer as SignIn),
    failed(error) {
      if (error.code !== 'login.state_expired' && error.code !== 'login.refused')
        return failed?.(error) ?? false
      onOver(error.message)
      return true
    },
  })
