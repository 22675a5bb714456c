import { useDeferredValue, useMemo, useState } from 'react'
import { ArticleView, type DisplayedArticle } from '#domains/content/article/article-view.tsx'
import type { Managed } from '#domains/content/editorial/workbench-queries.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { Sheet } from '#ui/feedback/dialog.tsx'
import type { Text } from './autosave.ts'
import { withDrawnFormulas } from './draw-formula.ts'

type PreviewProps = { text: Text; article: Managed | undefined; cover: string; english: boolean }

/** A live preview of the article on a phone. */
export function PhonePreview(props: PreviewProps) {
  return (
    <aside className="writing-phone-column" aria-label={m.writing_preview()}>
      <div className="writing-phone">
        <div className="writing-phone-screen" inert>
          <Preview {...props} />
        </div>
      </div>
    </aside>
  )
}

export function PreviewSheet({ open, onClose, ...props }: PreviewProps & SheetProps) {
  return (
    <Sheet open={open} onClose={onClose} title={m.writing_preview()}>
      <Preview {...props} />
    </Sheet>
  )
}
type SheetProps = { open: boolean; onClose: () => void }

function Preview({ text: articleText, article, cover, english }: PreviewProps) {
  const { school } = useSystem()
  const [opened] = useState(() => new Date().toISOString())
  // Deferred, so that typing stays responsive.
  const text = useDeferredValue(articleText)
  const content = useMemo(() => withDrawnFormulas(text.text), [text.text])
  const contentEn = useMemo(() => withDrawnFormulas(text.textEn), [text.textEn])
  const shown: DisplayedArticle = {
    title: text.title || m.writing_untitled(),
    titleEn: text.titleEn,
    releaseDeptName: school,
    releaseDeptNameEn: school,
    author: text.author,
    releaseStartTime: article?.publishedAt ?? article?.plannedAt ?? opened,
    lead: text.kind === 'announcement' ? text.summary : '',
    content,
    contentEn,
    titleImage: cover,
    attachments: (article?.attachments ?? []).map((one, at) => ({ id: String(at + 1), ...one })),
    readCount: null,
  }
  return <ArticleView article={shown} english={english} size={100} />
}
