import './picture.css'
import { figures } from '@atrium/rules/figures'
import { useState } from 'react'
import { Icon } from './icon.tsx'
import { MaybePicture } from './maybe-picture.tsx'

type PictureProps = {
  src: string
  /** Of the picture itself, in pixels: its room is kept before it is there. */
  width: number
  height: number
}

/** A large picture that decorates: it fades in when it is there, and a drawing stands in where it does not come. */
export function Picture(props: PictureProps) {
  const [there, setThere] = useState(false)
  return (
    <MaybePicture
      {...props}
      className={there ? 'picture' : 'picture picture-coming'}
      loading="lazy"
      decoding="async"
      style={{ transitionDuration: `${figures.imageFade}ms` }}
      onLoad={() => setThere(true)}
      instead={
        <span className="picture picture-failed">
          <Icon name="image" />
        </span>
      }
    />
  )
}
