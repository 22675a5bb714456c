import { useEffect, useState } from 'react'
import type { WeekPicture } from '#domains/work/week-picture/draw-week.ts'
import { saveFile } from '#lib/download.ts'
import { environment } from '#lib/environment.ts'
import { m } from '#paraglide/messages.js'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { Icon } from '#ui/media/icon.tsx'

/** Tools for the visible days: a second time zone, printing, and a picture. */
export function WeekTools({
  zones,
  name,
  draw,
}: {
  /** If the institution's zone differs: whether it is shown, and a toggle. */
  zones: { shown: boolean; toggle: () => void } | undefined
  /** name of the file */
  name: string
  draw: () => WeekPicture
}) {
  const [drawing, setDrawing] = useState(false)
  const [picture, setPicture] = useState<string>()
  useEffect(() => () => URL.revokeObjectURL(picture ?? ''), [picture])
  // Web views of host apps can neither print nor download files.
  const hosted = environment.isWeChat || environment.container === 'superApp'
  async function make() {
    setDrawing(true)
    try {
      const { drawWeek } = await import('#domains/work/week-picture/draw-week.ts')
      const drawn = await drawWeek(draw())
      if (hosted) return setPicture(URL.createObjectURL(drawn))
      const file = new File([drawn], name, { type: 'image/png' })
      const shared = environment.isMobile && navigator.canShare?.({ files: [file] })
      if (!shared) return saveFile(drawn, name)
      // The user may close the sheet.
      await navigator.share({ files: [file] }).catch((error: DOMException) => {
        if (error.name !== 'AbortError') saveFile(drawn, name)
      })
    } catch {
      toast(m.schedule_picture_failed())
    } finally {
      setDrawing(false)
    }
  }
  return (
    <>
      <div className="schedule-tools">
        {zones ? (
          <Button kind="plain" small aria-pressed={zones.shown} onClick={zones.toggle}>
            <Icon name="globe" />
            {m.schedule_two_zones()}
          </Button>
        ) : null}
        {hosted ? null : (
          <Button kind="plain" small onClick={print}>
            <Icon name="printer" />
            {m.schedule_print()}
          </Button>
        )}
        <Button kind="plain" small busy={drawing} onClick={() => void make()}>
          <Icon name="image" />
          {m.schedule_picture()}
        </Button>
      </div>
      {picture ? (
        <figure className="schedule-picture">
          <img src={picture} alt={m.schedule_picture_alt()} />
          <figcaption className="muted">{m.schedule_picture_press()}</figcaption>
        </figure>
      ) : null}
    </>
  )
}

/** Prints only the days; the attribute is set only during printing. */
function print() {
  document.documentElement.dataset.printing = 'week'
  globalThis.print()
  delete document.documentElement.dataset.printing
}
