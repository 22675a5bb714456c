import { Icon } from '#ui/media/icon.tsx'

/** What went wrong, heard at once; nothing where nothing did. */
export function Problem({ text }: { text: string }) {
  return text ? (
    <p className="factor-problem" role="alert">
      <Icon name="warning" />
      {text}
    </p>
  ) : null
}
