import { type ComponentProps, type ReactNode, useState } from 'react'

type MaybePictureProps = Omit<ComponentProps<'img'>, 'src' | 'alt' | 'onError'> & {
  /** Empty if there is none. */
  src: string
  /** Shown if there is no picture, or it fails to load. */
  instead: ReactNode
}

/** A decorative picture: its meaning is given in text beside it. */
export function MaybePicture({ src, instead, ...rest }: MaybePictureProps) {
  const [failed, setFailed] = useState('')
  if (!src || failed === src) return instead
  return <img {...rest} src={src} alt="" onError={() => setFailed(src)} />
}
