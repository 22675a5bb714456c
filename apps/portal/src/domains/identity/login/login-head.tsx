import { useSystem } from '#shell/config.ts'

/** The institution's logo and name, above every sign-in step. */
export function LoginHead() {
  const { school, logoUrl } = useSystem()
  return (
    <header className="login-head">
      <img src={logoUrl || '/icon.svg'} alt="" width={64} height={64} />
      <p className="login-school">{school}</p>
    </header>
  )
}
