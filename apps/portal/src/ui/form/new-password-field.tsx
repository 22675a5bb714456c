import './password-field.css'
import type { PasswordIssue, PasswordOwner } from '@atrium/rules/password'
import { useEffect, useState } from 'react'
import { m } from '#paraglide/messages.js'
import { PasswordField } from './password-field.tsx'

type NewPasswordFieldProps = {
  value: string
  onValue: (value: string) => void
  /** The owner's data, as far as known here. The server knows more and decides. */
  owner?: PasswordOwner
  error?: string | undefined
}

/** A new password with a strength indicator. */
export function NewPasswordField({ value, onValue, owner, error }: NewPasswordFieldProps) {
  return (
    <>
      <PasswordField
        label={m.ui_new_password()}
        name="new-password"
        autoComplete="new-password"
        value={value}
        onValue={onValue}
        error={error}
        hint={m.ui_new_password_hint()}
      />
      <Strength password={value} owner={owner ?? {}} />
    </>
  )
}

type PasswordRating = { strength: number; issue: PasswordIssue | undefined }

function Strength({ password, owner }: { password: string; owner: PasswordOwner }) {
  const rating = usePasswordRating(password, owner)
  const strength = password === '' || !rating ? 0 : rating.strength
  return (
    <div className={`password-strength password-strength-${strength}`}>
      <div className="password-strength-bars" aria-hidden="true">
        {[1, 2, 3, 4].map((bar) => (
          <span key={bar} className={bar <= strength ? 'password-strength-on' : undefined} />
        ))}
      </div>
      <p className="password-strength-text" role="status">
        {password && rating ? ratingText(rating) : null}
      </p>
    </div>
  )
}

function ratingText({ strength, issue }: PasswordRating) {
  if (issue === 'short') return m.ui_password_short()
  if (issue === 'long') return m.ui_password_long()
  if (issue === 'common') return m.ui_password_common()
  if (issue === 'personal') return m.ui_password_personal()
  if (issue === 'weak') return m.ui_password_weak()
  if (strength < 3) return m.ui_password_fair()
  return strength < 4 ? m.ui_password_good() : m.ui_password_best()
}

const ratingDelay = 250

/**
 * Rates the password once typing pauses. The word lists are loaded with the first character; if that fails, there is no
 * rating.
 */
function usePasswordRating(password: string, owner: PasswordOwner) {
  const [rating, setRating] = useState<PasswordRating>()
  const ownerJson = JSON.stringify(owner)
  useEffect(() => {
    if (password === '') return
    let isOutdated = false
    const timer = setTimeout(async () => {
      const rules = await import('@atrium/rules/password').catch(() => undefined)
      if (!rules || isOutdated) return
      const parsedOwner: PasswordOwner = JSON.parse(ownerJson)
      const issue = rules.passwordIssue(password, parsedOwner)
      // A password that is not allowed is never rated better than weak.
      const strength = Math.max(1, rules.passwordStrength(password, parsedOwner))
      setRating({ issue, strength: issue ? 1 : strength })
    }, ratingDelay)
    return () => {
      isOutdated = true
      clearTimeout(timer)
    }
  }, [password, ownerJson])
  return rating
}
