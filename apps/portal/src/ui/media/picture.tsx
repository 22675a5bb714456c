import './picture.css'
import { figures } from '@atrium/rules/figures'
import { useState } from 'react'
import { Icon } from './icon.tsx'
import { PictureWithFallback } from './picture-with-fallback.tsx'

type PictureProps = {
  src: string
  /** Intrinsic size in pixels; reserves the space before the picture loads. */
  width: number
  height: number
}

/** A large decorative picture: fades in when loaded; shows an icon if it fails to load. */
export function Picture(props: PictureProps) {
  const [isLoaded, setIsLoaded] = useState(false)
  return (
    <PictureWithFallback
      {...props}
      className={isLoaded ? 'picture' : 'picture picture-coming'}
      loading="lazy"
      decoding="async"
      style={{ transitionDuration: `${figures.imageFade}ms` }}
      onLoad={() => setIsLoaded(true)}
      fallback={
        <span className="picture picture-failed">
          <Icon name="image" />
        </span>
      }
    />
  )
}
