import './messages.css'
import { dayAndClock } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { openAddress } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { RichText } from '#ui/media/rich-text.tsx'
import { useMessage } from './messages-queries.ts'

/** One message; reading it is what marks it as read. */
export default function DetailPage() {
  const { id } = useSearch('/pagesA/message/detail')
  const message = useMessage(id)
  return (
    <Page>
      <div className="column">
        <QueryView query={message} skeleton={<Skeleton height={320} label={m.shell_loading()} />}>
          {({ title, sender, appName, appNameEn, sentAt, content, summary, url }) => (
            <Card>
              <header className="message-head">
                <h2 className="message-title">{title}</h2>
                <p className="muted">
                  {sender || inLanguage(appName, appNameEn)} ·{' '}
                  <time className="num" dateTime={sentAt}>
                    {dayAndClock(sentAt)}
                  </time>
                </p>
              </header>
              {content ? <RichText html={content} /> : <p>{summary}</p>}
              {url ? (
                <div className="message-url">
                  <Button wide onClick={() => openAddress(url)}>
                    {m.messages_open_link()}
                  </Button>
                </div>
              ) : null}
            </Card>
          )}
        </QueryView>
      </div>
    </Page>
  )
}
