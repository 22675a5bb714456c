import './request-consent.css'
import { type AuthorizationState, consent } from '@atrium/contract/sso/consent'
import { releasable } from '@atrium/contract/sso/registry'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { call } from '#lib/api.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'

/**
 * Shows which data a service receives and asks for consent. Mounts its own dialog, so it works anywhere: home, a list,
 * a guide. @returns whether consent was given
 */
export function requestConsent(state: AuthorizationState, serviceId: string): Promise<boolean> {
  const container = document.body.appendChild(document.createElement('div'))
  const root = createRoot(container)
  return new Promise<boolean>((settle) => {
    const close = (isGiven: boolean) => {
      root.unmount()
      container.remove()
      settle(isGiven)
    }
    root.render(<ConsentDialog state={state} serviceId={serviceId} onEnd={close} />)
  })
}

type ConsentDialogProps = {
  state: AuthorizationState
  serviceId: string
  onEnd: (isGiven: boolean) => void
}

function ConsentDialog({ state, serviceId, onEnd }: ConsentDialogProps) {
  const [busy, setBusy] = useState(false)
  const { name, nameEn, purpose, purposeEn, attributes } = state
  const why = inLanguage(purpose, purposeEn)
  const agree = async () => {
    setBusy(true)
    try {
      await call(consent.agree, { body: { serviceId, attributes } })
      onEnd(true)
    } catch (error) {
      toast((error as Error).message)
      onEnd(false)
    }
  }
  return (
    <Dialog
      open
      onClose={() => onEnd(false)}
      title={m.services_consent_title({ name: inLanguage(name, nameEn) })}
      actions={
        <>
          <Button kind="plain" onClick={() => onEnd(false)}>
            {m.services_consent_refuse()}
          </Button>
          <Button busy={busy} onClick={() => void agree()}>
            {m.services_consent_agree()}
          </Button>
        </>
      }
    >
      {why ? <p>{m.services_consent_purpose({ purpose: why })}</p> : null}
      <p>{m.services_consent_told()}</p>
      <ul className="ask-consent-list">
        <li>{m.services_consent_username()}</li>
        {attributes.map((attribute) => (
          <li key={attribute}>
            {inLanguage(releasable[attribute].zh.title, releasable[attribute].en.title)}
          </li>
        ))}
      </ul>
      <p className="muted">{m.services_consent_hint()}</p>
    </Dialog>
  )
}
