import { type ComponentProps, type ReactNode, useState } from 'react'

type PictureWithFallbackProps = Omit<ComponentProps<'img'>, 'src' | 'alt' | 'onError'> & {
  /** Empty if there is none. */
  src: string
  /** Shown if there is no picture, or it fails to load. */
  fallback: ReactNode
}

/** A decorative picture: its meaning is given in text beside it. */
export function PictureWithFallback({ src, fallback, ...rest }: PictureWithFallbackProps) {
  const [failed, setFailed] = useState('')
  if (!src || failed === src) return fallback
  return <img {...rest} src={src} alt="" onError={() => setFailed(src)} />
}
