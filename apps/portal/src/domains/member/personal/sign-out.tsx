import { useState } from 'react'
import { m } from '#paraglide/messages.js'
import { signOut } from '#shell/sign-in/sign-in.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Button } from '#ui/form/button.tsx'

/** Ends the session, here and at the central login, after a confirmation. */
export function SignOut() {
  const [isConfirming, setIsConfirming] = useState(false)
  const [busy, setBusy] = useState(false)
  const close = () => setIsConfirming(false)
  const leave = () => {
    setBusy(true)
    void signOut()
  }
  return (
    <>
      <Button kind="danger" wide onClick={() => setIsConfirming(true)}>
        {m.personal_sign_out()}
      </Button>
      <Dialog
        open={isConfirming}
        onClose={close}
        title={m.personal_sign_out_title()}
        actions={
          <>
            <Button kind="plain" onClick={close}>
              {m.personal_sign_out_stay()}
            </Button>
            <Button kind="danger" busy={busy} onClick={leave}>
              {m.personal_sign_out()}
            </Button>
          </>
        }
      >
        {m.personal_sign_out_text()}
      </Dialog>
    </>
  )
}
