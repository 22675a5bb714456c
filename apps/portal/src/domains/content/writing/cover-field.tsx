import type { UploadedFile } from '@atrium/contract/content/files'
import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { UploadField } from '#domains/content/files/upload-field.tsx'
import { m } from '#paraglide/messages.js'
import { Button } from '#ui/form/button.tsx'
import type { Text } from './autosave.ts'

type Focus = NonNullable<Text['titleImageFocus']>
type CoverFieldProps = {
  id: string | null
  /** address of the picture */
  address: string
  focus: Text['titleImageFocus']
  locked: boolean
  /** Pictures in the text that can be chosen. */
  offered: readonly { id: string; address: string; alt: string }[]
  onChange: (
    part: Partial<Pick<Text, 'titleImageFileId' | 'titleImageFocus'>>,
    address?: string,
  ) => void
  onBusy: (busy: boolean) => void
}

/** The cover picture in lists and above the text, and the focal point kept visible when it is cropped. */
export function CoverField(props: CoverFieldProps) {
  const { id, address, focus, locked, offered, onChange, onBusy } = props
  const [uploaded, setUploaded] = useState<UploadedFile>()
  if (id === null)
    return locked ? (
      <p className="muted">{m.writing_cover_none()}</p>
    ) : (
      <div className="writing-fields">
        <UploadField
          label={m.editorial_title_image()}
          album
          max={1}
          onChange={([picture], busy) => {
            onBusy(busy)
            if (!picture || picture.id === uploaded?.id) return
            setUploaded(picture)
            onChange({ titleImageFileId: picture.id, titleImageFocus: null }, picture.url)
          }}
        />
        {offered.length > 0 ? (
          <ul className="writing-offered" aria-label={m.writing_cover_offered()}>
            {offered.map((one) => (
              <li key={one.id}>
                <button
                  type="button"
                  aria-label={m.writing_cover_take({ alt: one.alt || one.id })}
                  onClick={() =>
                    onChange({ titleImageFileId: one.id, titleImageFocus: null }, one.address)
                  }
                >
                  <img src={one.address} alt="" />
                </button>
              </li>
            ))}
          </ul>
        ) : null}
      </div>
    )
  const { x, y } = focus ?? { x: 50, y: 50 }
  return (
    <div className="writing-fields">
      <FocusPicture
        address={address}
        focus={{ x, y }}
        locked={locked}
        onChange={(titleImageFocus) => onChange({ titleImageFocus })}
      />
      <div className="writing-crops" aria-hidden="true">
        {['writing-crop-wide', 'writing-crop-list'].map((look) => (
          <img key={look} className={look} src={address} alt="" ref={positioned({ x, y })} />
        ))}
      </div>
      {locked ? null : (
        <Button
          kind="plain"
          small
          onClick={() => onChange({ titleImageFileId: null, titleImageFocus: null }, '')}
        >
          {m.editorial_title_image_remove()}
        </Button>
      )}
    </div>
  )
}

/** Set by script: the page's Content-Security-Policy forbids style attributes. */
const positioned =
  ({ x, y }: Focus) =>
  (element: HTMLElement | null) => {
    if (element) element.style.objectPosition = `${x}% ${y}%`
  }

type FocusPictureProps = {
  address: string
  focus: Focus
  locked: boolean
  onChange: (focus: Focus) => void
}

/** Sets a focal point by pointer or arrow keys. */
function FocusPicture({ address, focus, locked, onChange }: FocusPictureProps) {
  const bound = (value: number) => Math.round(Math.min(100, Math.max(0, value)))
  const point = (event: PointerEvent<HTMLElement>) => {
    if (locked || (event.type === 'pointermove' && event.buttons === 0)) return
    const box = event.currentTarget.getBoundingClientRect()
    onChange({
      x: bound(((event.clientX - box.left) / box.width) * 100),
      y: bound(((event.clientY - box.top) / box.height) * 100),
    })
  }
  const step = (event: KeyboardEvent) => {
    const by = { ArrowLeft: [-5, 0], ArrowRight: [5, 0], ArrowUp: [0, -5], ArrowDown: [0, 5] }[
      event.key
    ]
    if (!by || locked) return
    event.preventDefault()
    onChange({ x: bound(focus.x + (by[0] ?? 0)), y: bound(focus.y + (by[1] ?? 0)) })
  }
  return (
    <button
      type="button"
      className="writing-focus"
      aria-label={`${m.writing_focus_hint()}. ${m.writing_focus({ x: String(focus.x), y: String(focus.y) })}`}
      aria-disabled={locked || undefined}
      onPointerDown={point}
      onPointerMove={point}
      onKeyDown={step}
    >
      <img src={address} alt="" draggable={false} />
      <span
        className="writing-focus-point"
        ref={(element) => {
          if (!element) return
          element.style.left = `${focus.x}%`
          element.style.top = `${focus.y}%`
        }}
      />
      <span className="writing-focus-hint">{m.writing_focus_hint()}</span>
    </button>
  )
}
