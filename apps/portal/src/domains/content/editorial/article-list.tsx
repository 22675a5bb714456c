import './workbench.css'
import '#domains/content/workbench/workbench-page.css'
import { DepartmentPicker } from '#domains/content/workbench/department-picker.tsx'
import { formatDayAndTime } from '#lib/format.ts'
import { inLanguage, userTextLang } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { Link } from '#shell/navigation/link.tsx'
import { navigate, redirect } from '#shell/navigation/navigation.ts'
import { ListEnd } from '#shell/page/list-end.tsx'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { StatePills } from './state-pills.tsx'
import { type ArticleLine, type Filter, type Kind, useArticles } from './workbench-queries.ts'

type ArticleListProps = {
  kind: Kind
  department: string | undefined
  state: Filter | undefined
}
const paths = {
  article: '/pages/secondWork/news/news',
  announcement: '/pages/secondWork/gonggao/gonggaoList',
} as const

/** A department's articles or announcements, filtered by state. */
export function ArticleList({ kind, department, state: filter = 'all' }: ArticleListProps) {
  const articles = useArticles(kind, filter, department)
  const updateSearch = (search: { department: string | undefined; state: Filter | undefined }) =>
    redirect(paths[kind], {
      department: search.department,
      state: search.state === 'all' ? undefined : search.state,
    })
  const write = (
    <Button wide onClick={() => navigate('/pages/secondWork/gonggao/gonggaoSet', { kind })}>
      {kind === 'article' ? m.editorial_new_article() : m.editorial_new_announcement()}
    </Button>
  )
  return (
    <Page onRefresh={articles.refetch}>
      <div className="column stack">
        <div className="workbench-tools">
          <DepartmentPicker
            department={department}
            onChoose={(chosen) => updateSearch({ department: chosen, state: filter })}
          />
          {write}
        </div>
        <Tabs
          variant="line"
          label={m.editorial_by_state()}
          items={filters(kind).map(([value, label]) => ({ value, label }))}
          value={filter}
          onChange={(state) => updateSearch({ department, state })}
        >
          <QueryView
            query={articles}
            skeleton={<Skeleton rows={4} height={72} label={m.shell_loading()} />}
            isEmpty={({ pages: [first] }) => first?.list.length === 0}
            empty={
              <Card>
                <Empty icon="news" title={m.editorial_empty()}>
                  {m.editorial_empty_hint()}
                </Empty>
              </Card>
            }
          >
            {({ pages: all }) => (
              <>
                <ul className="workbench-list">
                  {all
                    .flatMap(({ list }) => list)
                    .map((line) => (
                      <li key={line.id}>
                        <Row article={line} />
                      </li>
                    ))}
                </ul>
                <ListEnd query={articles} />
              </>
            )}
          </QueryView>
        </Tabs>
      </div>
    </Page>
  )
}

const filters = (kind: Kind): [Filter, string][] => [
  ['all', m.editorial_all()],
  ['draft', m.editorial_state_draft()],
  ['review', m.editorial_state_review()],
  ['refused', m.editorial_state_refused()],
  ['approved', m.editorial_state_approved()],
  ['shown', m.editorial_shown()],
  ['withdrawn', m.editorial_withdrawn()],
  ...(kind === 'announcement'
    ? [['confirming', m.editorial_confirming()] satisfies [Filter, string]]
    : []),
]

function Row({ article }: { article: ArticleLine }) {
  const { timeZone } = useSystem()
  return (
    <Link
      className="workbench-row"
      to="/pages/secondWork/gonggao/gonggaoSet"
      search={{ id: article.id, kind: article.kind }}
    >
      <span className="workbench-row-title">
        <Bilingual zh={article.title} en={article.titleEn} />
      </span>
      <span className="workbench-pills">
        <StatePills {...article} />
      </span>
      <span className="workbench-row-facts muted num">
        <span>{inLanguage(article.columnName, article.columnNameEn)}</span>
        {article.writtenBy ? (
          <span lang={userTextLang(article.writtenBy)}>{article.writtenBy}</span>
        ) : null}
        <time dateTime={article.updatedAt}>{formatDayAndTime(article.updatedAt, timeZone)}</time>
      </span>
    </Link>
  )
}
