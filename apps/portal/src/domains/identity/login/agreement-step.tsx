import { signInSteps } from '@atrium/contract/identity/identity'
import { config } from '@atrium/contract/shell/config'
import { useQuery } from '@tanstack/react-query'
import { foreignLang, inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { QueryView } from '#shell/page/query-view.tsx'
import { Button } from '#ui/form/button.tsx'
import { RichText } from '#ui/media/rich-text.tsx'
import { StepHeading } from './step-heading.tsx'
import { type StepProps, useStep } from './use-step.ts'

/** Shows both texts in place: leaving the page would lose the sign-in. */
export function AgreementStep({ step, onDone, onOver }: StepProps) {
  const { mutate, isPending } = useStep(signInSteps.agreement, { onDone, onOver })
  return (
    <>
      <StepHeading title={m.login_agreement_new()}>{m.login_agreement_text()}</StepHeading>
      <InstitutionText name="userAgreement" title={m.login_agreement_title()} />
      <InstitutionText name="userPrivacy" title={m.login_privacy_title()} />
      <Button
        wide
        busy={isPending}
        onClick={() => mutate({ body: { state: step.state, version: step.agreementVersion } })}
      >
        {m.login_agreement_accept()}
      </Button>
    </>
  )
}

function InstitutionText({
  name,
  title,
}: {
  name: 'userAgreement' | 'userPrivacy'
  title: string
}) {
  const text = useQuery({ ...q(config.text, { query: { name } }), staleTime: 10 * 60_000 })
  return (
    <details className="login-text">
      <summary>{title}</summary>
      <QueryView query={text}>
        {({ html, htmlEn }) => (
          <RichText html={inLanguage(html, htmlEn)} lang={foreignLang(html, htmlEn)} />
        )}
      </QueryView>
    </details>
  )
}
