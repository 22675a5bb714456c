import { Icon } from '#ui/media/icon.tsx'

/** An error message, announced immediately; renders nothing if empty. */
export function Problem({ text }: { text: string }) {
  return text ? (
    <p className="factor-problem" role="alert">
      <Icon name="warning" />
      {text}
    </p>
  ) : null
}
