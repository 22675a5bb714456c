import './login-page.css'
import { useEffect } from 'react'
import { useSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { Link } from '#shell/link.tsx'
import { back, depth, go } from '#shell/navigation.ts'
import { Page } from '#shell/page.tsx'
import { useSearch } from '#shell/page-context.ts'
import { pathOf } from '#shell/page-stack.ts'
import { homePath, isTab } from '#shell/screens.ts'
import { safeTarget, signInCentrally } from '#shell/sign-in.ts'
import { Button } from '#ui/button.tsx'
import { PasswordForm } from './password-form.tsx'

/** Signing in without leaving the portal, and the way to the central login. */
export default function LoginPage() {
  const { returnTarget } = useSearch('/pages/login/login')
  const { school, logoUrl } = useSystem()
  const signedIn = useSession() !== null
  // Also when one comes back here by the browser's own buttons: this page is never in the way.
  useEffect(() => {
    if (signedIn) leave(returnTarget)
  }, [signedIn, returnTarget])
  return (
    <Page>
      <div className="column login">
        <header className="login-head">
          <img src={logoUrl || '/icon.svg'} alt="" width={64} height={64} />
          <p className="login-school">{school}</p>
        </header>
        <PasswordForm />
        <p className="login-or">
          <span>{m.login_or()}</span>
        </p>
        <Button
          kind="plain"
          wide
          onClick={() => signInCentrally(returnTarget ? safeTarget(returnTarget) : homePath())}
        >
          {m.login_central()}
        </Button>
        <p className="login-texts">
          {m.login_agree()}
          <Link to="/pages/login/userAgreement">{m.login_agreement()}</Link>
          {m.login_and()}
          <Link to="/pages/login/userPrivacy">{m.login_privacy()}</Link>
        </p>
      </div>
    </Page>
  )
}

/** On to where one wanted to go, in the place of this page; else back to where one came from. */
function leave(returnTarget: string | undefined) {
  if (!returnTarget && depth() > 0) return back()
  const target = safeTarget(returnTarget)
  go(isTab(pathOf(target)) ? 'switchTab' : 'redirect', target)
}
