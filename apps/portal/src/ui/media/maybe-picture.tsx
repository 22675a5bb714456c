import { type ComponentProps, type ReactNode, useState } from 'react'

type MaybePictureProps = Omit<ComponentProps<'img'>, 'src' | 'alt' | 'onError'> & {
  /** Empty where there is none. */
  src: string
  /** What is drawn where there is no picture, or it does not come. */
  instead: ReactNode
}

/** A picture that decorates: what it means stands beside it. */
export function MaybePicture({ src, instead, ...rest }: MaybePictureProps) {
  const [failed, setFailed] = useState('')
  if (!src || failed === src) return instead
  return <img {...rest} src={src} alt="" onError={() => setFailed(src)} />
}
