import { useEffect } from 'react'
import { getSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { relaunch } from '#shell/navigation/navigation.ts'
import { homePath, type Path } from '#shell/navigation/screens.ts'
import { Page } from '#shell/page/page.tsx'
import { signIn } from '#shell/sign-in/sign-in.ts'
import { Empty } from '#ui/feedback/empty.tsx'
import { Button } from '#ui/form/button.tsx'

const toHome = () => relaunch(homePath() as Path)

/** The page shown after signing out, with a button to sign in again. */
export default function SignedOutPage() {
  useEffect(() => {
    // A user who has signed in since then came back here.
    if (getSession()) toHome()
  }, [])
  return (
    <Page>
      <div className="column stack">
        <Empty
          icon="check"
          title={m.sessions_signed_out_text()}
          action={
            <>
              <Button wide onClick={() => signIn(homePath())}>
                {m.sessions_signed_out_again()}
              </Button>
              <Button wide kind="plain" onClick={toHome}>
                {m.sessions_signed_out_visit()}
              </Button>
            </>
          }
        >
          {m.sessions_signed_out_note()}
        </Empty>
      </div>
    </Page>
  )
}
