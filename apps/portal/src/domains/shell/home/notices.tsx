import type { Home } from '@atrium/contract/shell/home'
import { lazy, Suspense, useState } from 'react'
import { m } from '#paraglide/messages.js'
import { Bilingual } from '#ui/bilingual.tsx'
import { NoticeBar } from '#ui/feedback/notice-bar.tsx'

// Lazy: the sheet imports the behaviour library, which home does not need otherwise.
const NoticeSheet = lazy(() => import('./notice-sheet.tsx'))

/** The institution's notices; a tap shows one in full. */
export function Notices({ notices }: { notices: NonNullable<Home['notices']> }) {
  const [shown, setShown] = useState<string>()
  if (notices.length === 0) return null
  return (
    <>
      <NoticeBar
        label={m.home_notices()}
        items={notices.map(({ id, title, titleEn }) => ({
          id,
          text: <Bilingual zh={title} en={titleEn} />,
        }))}
        onOpen={setShown}
      />
      {shown ? (
        <Suspense>
          <NoticeSheet id={shown} onClose={() => setShown(undefined)} />
        </Suspense>
      ) : null}
    </>
  )
}
