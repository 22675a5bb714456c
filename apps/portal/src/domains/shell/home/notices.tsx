import type { Home } from '@atrium/contract/shell/home'
import { lazy, Suspense, useState } from 'react'
import { m } from '#paraglide/messages.js'
import { Bilingual } from '#ui/bilingual.tsx'
import { NoticeBar } from '#ui/feedback/notice-bar.tsx'

// The sheet brings the behaviour library along, which home does without.
const NoticeSheet = lazy(() => import('./notice-sheet.tsx'))

/** What the institution wants everybody to know; a notice opens in full. */
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
