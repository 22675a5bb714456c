import { news } from '@atrium/contract/news'
import { useQuery } from '@tanstack/react-query'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { Page } from '#shell/page.tsx'
import { useSearch } from '#shell/page-context.ts'
import { QueryView } from '#shell/query-view.tsx'

export default function DetailPage() {
  const { id, columnId } = useSearch('/pagesA/news/detail')
  const article = useQuery(q(news.read, { params: { id }, query: { columnId } }))
  return (
    <Page>
      <div className="column">
        <QueryView query={article}>
          {({ title, titleEn }) => <h2>{inLanguage(title, titleEn)}</h2>}
        </QueryView>
      </div>
    </Page>
  )
}
