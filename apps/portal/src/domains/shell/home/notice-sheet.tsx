import { useNotices } from '#domains/content/news/news-queries.ts'
import { formatDayAndTime } from '#lib/format.ts'
import { foreignLang, inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Sheet } from '#ui/feedback/dialog.tsx'
import { RichText } from '#ui/media/rich-text.tsx'

/** One notice in full. */
export default function NoticeSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const notices = useNotices()
  const { timeZone } = useSystem()
  const notice = notices.data?.find((known) => known.id === id)
  const title = notice ? inLanguage(notice.title, notice.titleEn) : m.home_notices()
  return (
    <Sheet open onClose={onClose} title={title}>
      <QueryView query={notices}>
        {() =>
          notice ? (
            <>
              <RichText
                html={inLanguage(notice.content, notice.contentEn)}
                lang={foreignLang(notice.content, notice.contentEn)}
              />
              <p className="muted num notice-until">
                {m.home_notice_until({ time: formatDayAndTime(notice.endsAt, timeZone) })}
              </p>
            </>
          ) : (
            <p>{m.home_notice_over()}</p>
          )
        }
      </QueryView>
    </Sheet>
  )
}
