import { useContext, useEffect, useState } from 'react'
import { read } from '#lib/storage.ts'
import { hrefOf, performNavigation } from '#shell/navigation/navigation.ts'
import { PageContext, useSearch } from '#shell/page/page-context.ts'
import { useLoginConfigs } from './login-queries.ts'
import { PasswordForm } from './password-form.tsx'
import { SignInFrame } from './sign-in-frame.tsx'

/** Sign-in inside the portal. The general address redirects to the method last used on this device. */
export default function LoginPage() {
  const { path } = useContext(PageContext)
  const { returnTarget } = useSearch('/pages/login/login')
  const smsLogin = useLoginConfigs().data?.smsLogin ?? false
  const [chosen] = useState(() => path !== '/pages/login/login' || location.hash !== '')
  useEffect(() => {
    if (!chosen && smsLogin && read('loginWay') === 'sms')
      performNavigation('redirect', hrefOf('/pages/login/codeLogin', { returnTarget }))
  }, [chosen, smsLogin, returnTarget])
  return <SignInFrame method="password">{(done) => <PasswordForm onDone={done} />}</SignInFrame>
}
