import './password-field.css'
import { useState } from 'react'
import { m } from '#paraglide/messages.js'
import { Icon } from '../media/icon.tsx'
import { Field } from './field.tsx'
import { IconButton } from './icon-button.tsx'

type PasswordFieldProps = {
  label: string
  name: string
  value: string
  onValue: (value: string) => void
  /** Tells password managers whether to fill in a known password or to generate one. */
  autoComplete: 'current-password' | 'new-password'
  error?: string | undefined
  hint?: string
}

/** A password that can be shown. Pasting is allowed. */
export function PasswordField({ error, hint, ...field }: PasswordFieldProps) {
  const [isVisible, setIsVisible] = useState(false)
  return (
    <div className="password-field">
      <Field
        {...field}
        {...(error !== undefined && { error })}
        {...(hint !== undefined && { hint })}
        type={isVisible ? 'text' : 'password'}
        autoCapitalize="none"
        spellCheck={false}
      />
      <IconButton
        label={isVisible ? m.ui_password_hide() : m.ui_password_show()}
        aria-pressed={isVisible}
        onClick={() => setIsVisible(!isVisible)}
      >
        <Icon name="eye" />
      </IconButton>
    </div>
  )
}
