import { useState } from 'react'
import type { ApiError } from '#lib/api.ts'
import { m } from '#paraglide/messages.js'
import { signIn } from '#shell/sign-in.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'

/**
 * For calls that only the person may make: where the server wants to know once more who is there, it is said here how.
 * `dialog` stands anywhere on the page.
 */
export function useConfirmed() {
  const [asked, setAsked] = useState(false)
  const due = (error: ApiError) => {
    if (error.code !== 'session.confirmation_due') return false
    setAsked(true)
    return true
  }
  const close = () => setAsked(false)
  const dialog = (
    <Dialog
      open={asked}
      onClose={close}
      title={m.privacy_confirm_title()}
      actions={
        <>
          <Button kind="plain" onClick={close}>
            {m.ui_cancel()}
          </Button>
          <Button onClick={() => signIn()}>{m.privacy_confirm_go()}</Button>
        </>
      }
    >
      {m.privacy_confirm_text()}
    </Dialog>
  )
  return { due, dialog }
}
