import 'yet-another-react-lightbox/styles.css'
import './image-viewer.css'
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef } from 'react'
import Lightbox, { type ControllerRef } from 'yet-another-react-lightbox'
import Inline from 'yet-another-react-lightbox/plugins/inline'
import Zoom from 'yet-another-react-lightbox/plugins/zoom'
import { m } from '#paraglide/messages.js'
import { IconButton } from '../form/icon-button.tsx'
import { Icon } from './icon.tsx'

type ImageViewerProps = {
  pictures: readonly string[]
  /** Index of the picture to begin with. */
  at: number
  onView: (at: number) => void
  onClose: () => void
  /** Shown at the upper left: which picture it is. */
  children: ReactNode
}

/**
 * Full-screen pictures with swiping, pinching and double tap; arrow keys, + and −, Escape. Its code is large, so only
 * pages loaded later use it.
 */
export function ImageViewer({ pictures, at, onView, onClose, children }: ImageViewerProps) {
  const controller = useRef<ControllerRef>(null)
  useEffect(() => controller.current?.focus(), [])
  const leave = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') onClose()
  }
  const single = pictures.length < 2
  // New slides restart the viewer, and a new array counts as new slides.
  const key = JSON.stringify(pictures)
  const slides = useMemo(
    () => (JSON.parse(key) as string[]).map((src) => ({ src, alt: m.ui_viewer() })),
    [key],
  )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of what stands inside
    <div className="image-viewer" onKeyDown={leave}>
      <Lightbox
        slides={slides}
        index={at}
        plugins={[Inline, Zoom]}
        controller={{ ref: controller, closeOnEscape: false }}
        carousel={{ finite: true, preload: 1, padding: 0 }}
        animation={{ swipe: 250, zoom: 250 }}
        zoom={{ maxZoomPixelRatio: 4, pinchZoomV4: true }}
        on={{ view: ({ index }) => onView(index) }}
        toolbar={{
          buttons: [
            <IconButton key="leave" label={m.shell_close()} onClick={onClose}>
              <Icon name="close" />
            </IconButton>,
          ],
        }}
        render={{
          iconError: () => (
            <span className="image-viewer-failed">
              <Icon name="image" />
              {m.ui_picture_failed()}
            </span>
          ),
          ...(single && { buttonPrev: () => null, buttonNext: () => null }),
        }}
        labels={{
          Previous: m.ui_slides_previous(),
          Next: m.ui_slides_next(),
          Slide: m.ui_slide(),
          Carousel: m.ui_carousel(),
          'Photo gallery': m.ui_viewer(),
          '{index} of {total}': m.ui_slide_of({ at: '{index}', of: '{total}' }),
          'Zoom in': m.ui_zoom_in(),
          'Zoom out': m.ui_zoom_out(),
        }}
      />
      <div className="image-viewer-which num">{children}</div>
    </div>
  )
}
