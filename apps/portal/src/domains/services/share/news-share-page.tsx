import './share.css'
import { namelessSharer, type SharedArticle } from '@atrium/contract/services/share'
import { formatDayAndTime } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { Link } from '#shell/navigation/link.tsx'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Picture } from '#ui/media/picture.tsx'
import { isRefused, Refused } from './refused.tsx'
import { useSharedArticle } from './share-queries.ts'
import { useWeChatShare } from './use-wechat-share.ts'

/** The page behind a shared link to an article. */
export default function NewsSharePage() {
  const { data } = useSearch('/pagesA/news/midTrans')
  const shared = useSharedArticle(data)
  return (
    <Page onRefresh={shared.refetch}>
      <div className="column stack">
        {isRefused(shared.error) ? (
          <Refused kind="news" error={shared.error} />
        ) : (
          <QueryView query={shared} skeleton={<Skeleton height={420} label={m.shell_loading()} />}>
            {(found) => <Shared shared={found} />}
          </QueryView>
        )}
      </div>
    </Page>
  )
}

function Shared({ shared: { article, sharerName, sharerNameEn } }: { shared: SharedArticle }) {
  const { id, columnId, titleImage, contentDesc } = article
  const { timeZone } = useSystem()
  useWeChatShare(inLanguage(article.title, article.titleEn), contentDesc, titleImage)
  return (
    <Card>
      <article className="shared">
        {sharerName === namelessSharer ? null : (
          <p className="shared-by">{m.share_by({ name: inLanguage(sharerName, sharerNameEn) })}</p>
        )}
        <h2>
          <Bilingual zh={article.title} en={article.titleEn} />
        </h2>
        <p className="muted num">
          <Bilingual zh={article.releaseDeptName} en={article.releaseDeptNameEn} />{' '}
          <time dateTime={article.releaseStartTime}>
            {formatDayAndTime(article.releaseStartTime, timeZone)}
          </time>
        </p>
        {titleImage ? <Picture src={titleImage} width={688} height={387} /> : null}
        {contentDesc ? (
          <p>
            <Bilingual zh={contentDesc} en="" />
          </p>
        ) : null}
        <div className="shared-actions">
          <Link
            className="button button-primary button-wide"
            to="/pagesA/news/detail"
            search={{ id, columnId }}
          >
            {m.share_read()}
          </Link>
        </div>
      </article>
    </Card>
  )
}
