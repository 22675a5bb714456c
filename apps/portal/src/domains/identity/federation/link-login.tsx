import { type FederatedUser, federation } from '@atrium/contract/identity/federation'
import { StepHeading } from '#domains/identity/login/step-heading.tsx'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { redirect } from '#shell/navigation/navigation.ts'
import { useAction } from '#shell/page/action.ts'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'

/** The page where binding an external login starts and ends. */
export const linksPage = '/pagesA/loginWay/loginWay'

type LinkLoginProps = {
  user: FederatedUser
  /** Called with a message if the binding cannot continue. */
  onOver: (text: string) => void
}

/** The member explicitly confirms the binding, so that a link sent by someone else cannot bind anything. */
export function LinkLogin({ user, onOver }: LinkLoginProps) {
  const provider = inLanguage(user.providerName, user.providerNameEn)
  const { mutate, isPending } = useAction(federation.link, {
    invalidates: [federation.identities],
    done() {
      toast(m.federation_linked({ provider }))
      redirect(linksPage)
    },
    failed(error) {
      onOver(error.message)
      return true
    },
  })
  return (
    <section className="login-form">
      <StepHeading title={m.federation_link_title({ provider })}>
        {m.federation_link_text({ provider })}
      </StepHeading>
      {user.display ? (
        <p className="federation-who">
          <span className="muted">{m.federation_bind_as({ provider })}</span>
          <strong>{user.display}</strong>
        </p>
      ) : null}
      <Button wide busy={isPending} onClick={() => mutate({ body: { nonce: user.nonce } })}>
        {m.federation_link_now()}
      </Button>
      <Button kind="plain" wide onClick={() => redirect(linksPage)}>
        {m.federation_keep()}
      </Button>
    </section>
  )
}
