import type { SignIn, SignInStep, signInSteps } from '@atrium/contract/identity/identity'
import type { ApiError } from '#lib/api.ts'
import { useAction } from '#shell/page/action.ts'

export type StepProps = {
  step: SignInStep
  onDone: (answer: SignIn) => void
  /** The sign-in cannot go on; the words say why. Without any, the person has given it up. */
  onOver: (text: string) => void
}

type StepCall = (typeof signInSteps)['accountChoose' | 'passwordChange' | 'agreement']

/** Does what is due. @param failed what the step itself says of a failure */
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
