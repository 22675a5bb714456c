import { Icon } from '#ui/media/icon.tsx'

/** What went wrong, said at once; nothing where nothing did. */
export function Problem({ text }: { text: string }) {
  if (!text) return null
  return (
    <p className="login-problem" role="alert">
      <Icon name="warning" />
      {text}
    </p>
  )
}
