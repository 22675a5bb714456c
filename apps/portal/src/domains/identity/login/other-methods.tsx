import type { SignIn } from '@atrium/contract/identity/identity'
import { lazy, Suspense, useState } from 'react'
import { inLanguage } from '#lib/language.ts'
import { read, type StoredValues, write } from '#lib/storage.ts'
import { m } from '#paraglide/messages.js'
import { hrefOf, performNavigation } from '#shell/navigation/navigation.ts'
import { leaveTo } from '#shell/navigation/page-exit.ts'
import { homePath } from '#shell/navigation/screens.ts'
import { joinSearch } from '#shell/navigation/search.ts'
import { safeTarget, signInCentrally } from '#shell/sign-in/sign-in.ts'
import { Button } from '#ui/form/button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { Pill } from '#ui/pill.tsx'
import { readArrival, withArrival } from './arrival.ts'
import { isUsable, useLoginConfigs } from './login-queries.ts'

const PasskeySignIn = lazy(async () => ({
  default: (await import('#domains/identity/second-factor/passkey-sign-in.tsx')).PasskeySignIn,
}))

const ScanSignIn = lazy(async () => ({
  default: (await import('#domains/identity/scan-login/scan-sign-in.tsx')).ScanSignIn,
}))

type OtherMethodsProps = {
  method: StoredValues['loginWay']
  returnTarget: string | undefined
  onDone: (answer: SignIn, by: StoredValues['loginWay']) => void
}

/** The other sign-in methods; the one last used on this device is marked. */
export function OtherMethods({ method, returnTarget, onDone }: OtherMethodsProps) {
  const configs = useLoginConfigs().data
  const [arrival] = useState(readArrival)
  // A phone cannot scan its own screen, so the QR code is only for wide screens.
  const [wide] = useState(() => matchMedia('(min-width: 1024px)').matches)
  const search = { returnTarget }
  const external = (configs?.providers ?? [])
    .map((provider) => ({ ...provider, begin: `/token/federation/begin/${provider.code}` }))
    // The central login has its own button; others are listed where they can be used.
    .filter(({ begin, kind }) => begin !== configs?.casUrl && isUsable[kind])
    .map(({ code, begin, name, nameEn }) => ({
      method: `provider ${code}` as const,
      begin,
      name: inLanguage(name, nameEn),
    }))
  const last = read('loginWay')
  const lastExternal = external.find(({ method }) => method === last)
  const leaveWith = (method: StoredValues['loginWay'], leave: () => void) => () => {
    write('loginWay', method)
    leave()
  }
  return (
    <>
      {configs?.scanLogin && wide ? (
        <Suspense>
          <ScanSignIn onDone={(answer) => onDone(answer, 'scan')} />
        </Suspense>
      ) : null}
      <p className="login-or">
        <span>{m.login_or()}</span>
      </p>
      <div className="login-ways">
        {method === 'sms' ? (
          <Button
            kind="plain"
            wide
            onClick={() =>
              performNavigation(
                'redirect',
                withArrival(hrefOf('/pages/login/pwdLogin', search), arrival),
              )
            }
          >
            <Icon name="lock" />
            {m.login_by_password()}
          </Button>
        ) : configs?.smsLogin ? (
          <Button
            kind="plain"
            wide
            onClick={() =>
              performNavigation(
                'redirect',
                withArrival(hrefOf('/pages/login/codeLogin', search), arrival),
              )
            }
          >
            <Icon name="mobile" />
            {m.login_by_code()}
          </Button>
        ) : null}
        {configs?.passkeyLogin ? (
          <Suspense fallback={<div className="login-way-room" />}>
            <PasskeySignIn onDone={(answer) => onDone(answer, 'passkey')} />
          </Suspense>
        ) : null}
        <Button
          kind="plain"
          wide
          onClick={leaveWith('central', () =>
            signInCentrally(returnTarget ? safeTarget(returnTarget) : homePath()),
          )}
        >
          <Icon name="building" />
          {m.login_central()}
        </Button>
        {external.map(({ method, begin, name }) => (
          <Button
            key={method}
            kind="plain"
            wide
            onClick={leaveWith(method, () => leaveTo(`${begin}${joinSearch(search)}`))}
          >
            <Icon name="link" />
            {name}
          </Button>
        ))}
        {last === 'passkey' ? <Pill>{m.login_last_passkey()}</Pill> : null}
        {last === 'central' ? <Pill>{m.login_last_central()}</Pill> : null}
        {lastExternal ? <Pill>{m.login_last({ way: lastExternal.name })}</Pill> : null}
      </div>
    </>
  )
}
