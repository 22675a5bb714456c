import { useState } from 'react'
import { m } from '#paraglide/messages.js'
import { Field } from '#ui/field.tsx'
import { Icon } from '#ui/icon.tsx'
import { IconButton } from '#ui/icon-button.tsx'

type PasswordFieldProps = {
  label: string
  name: string
  value: string
  onValue: (value: string) => void
  autoComplete: 'current-password' | 'new-password'
  error?: string | undefined
  hint?: string
}

/** A password, which its owner may look at. */
export function PasswordField(props: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  return (
    <div className="login-password">
      <Field
        {...props}
        type={shown ? 'text' : 'password'}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={200}
      />
      <IconButton
        label={shown ? m.login_hide() : m.login_show()}
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
      >
        <Icon name="eye" />
      </IconButton>
    </div>
  )
}
