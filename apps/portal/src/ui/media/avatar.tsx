import './avatar.css'
import { PictureWithFallback } from './picture-with-fallback.tsx'

/** A portrait, or the first letter of the name. Decorative: the name is shown beside it. */
export function Avatar({
  name,
  url = '',
  size = 60,
}: {
  name: string
  url?: string
  size?: number
}) {
  const style = { width: size, height: size, fontSize: size * 0.4 }
  const letter = (
    <span className="avatar" style={style} aria-hidden="true">
      {[...name][0]}
    </span>
  )
  return (
    <PictureWithFallback
      className="avatar"
      src={url}
      width={size}
      height={size}
      style={style}
      fallback={letter}
    />
  )
}
