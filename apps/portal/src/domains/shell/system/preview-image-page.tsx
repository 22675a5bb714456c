import { useState } from 'react'
import { m } from '#paraglide/messages.js'
import { back } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { Empty } from '#ui/feedback/empty.tsx'
import { Button } from '#ui/form/button.tsx'
import { ImageViewer } from '#ui/media/image-viewer.tsx'
import { pictureAddresses } from './picture-addresses.ts'

/** The pictures named in the address, one at a time. */
export default function PreviewImagePage() {
  const { urls, current } = useSearch('/preview-image')
  const { pictures, at } = pictureAddresses(urls, current, location.origin)
  const [shown, setShown] = useState(at)
  if (pictures.length === 0) {
    return (
      <Page>
        <Empty
          icon="image"
          title={m.system_pictures_none()}
          action={<Button onClick={() => back()}>{m.shell_back()}</Button>}
        >
          {m.system_pictures_none_text()}
        </Empty>
      </Page>
    )
  }
  return (
    <Page bare>
      <ImageViewer pictures={pictures} at={at} onView={setShown} onClose={() => back()}>
        <h1 aria-live="polite">
          {pictures.length > 1 ? (
            <>
              <span className="unseen">
                {m.system_picture_of({ at: shown + 1, of: pictures.length })}
              </span>
              <span aria-hidden="true">
                {shown + 1} / {pictures.length}
              </span>
            </>
          ) : (
            <span className="unseen">{m.system_pictures()}</span>
          )}
        </h1>
      </ImageViewer>
    </Page>
  )
}
