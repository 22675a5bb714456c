import { Icon } from '#ui/media/icon.tsx'

/** An error message, announced immediately; renders nothing if empty. */
export function Problem({ text }: { text: string }) {
  if (!text) return null
  return (
    <p className="login-problem" role="alert">
      <Icon name="warning" />
      {text}
    </p>
  )
}
