import type { ReactNode } from 'react'
import { m } from '#paraglide/messages.js'
import { Empty } from '#ui/feedback/empty.tsx'
import { Button } from '#ui/form/button.tsx'
import type { IconName } from '#ui/media/icon.tsx'
import { signIn } from './sign-in.ts'

/** Shown to guests in place of members' content: what it is for, and a sign-in button. */
export function SignInPrompt({
  icon,
  title,
  children,
}: {
  icon: IconName
  title: string
  children?: ReactNode
}) {
  return (
    <Empty
      icon={icon}
      title={title}
      action={<Button onClick={() => signIn()}>{m.shell_sign_in()}</Button>}
    >
      {children}
    </Empty>
  )
}
