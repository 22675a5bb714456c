import './search-page.css'
import type { FoundArticle } from '@atrium/contract/content/news'
import type { ReactNode } from 'react'
import { formatRelativeTime } from '#lib/format.ts'
import { getLanguage, inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { redirect } from '#shell/navigation/navigation.ts'
import { ListEnd } from '#shell/page/list-end.tsx'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Facts } from '#ui/facts.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { DateField } from '#ui/form/date-field.tsx'
import { SearchForm } from '#ui/form/search-form.tsx'
import { SelectField } from '#ui/form/select.tsx'
import { MarkedText } from '#ui/marked-text.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { OnlyInLanguage } from '#ui/only-in-language.tsx'
import { ArticleCard } from './article-card.tsx'
import { useArticleSearch, useColumns, useDepartments, usePopular } from './news-queries.ts'

const path = '/pages/search/news'

/** Article search. The search terms are in the address, so that coming back restores them. */
export default function SearchPage() {
  const search = useSearch(path)
  const { keyWords = '' } = search
  return (
    <Page>
      <div className="column stack">
        <SearchForm
          label={m.news_search()}
          keyWords={keyWords}
          onSearch={(words) => redirect(path, { ...search, keyWords: words || undefined })}
        />
        {keyWords ? (
          <>
            <Filters />
            <SearchResults />
          </>
        ) : (
          <Popular />
        )}
      </div>
    </Page>
  )
}

function Filters() {
  const search = useSearch(path)
  const columns = useColumns()
  const departments = useDepartments()
  const set = (change: Partial<typeof search>) => redirect(path, { ...search, ...change })
  const { columnId, department, from, to } = search
  const used = [columnId, department, from, to].filter(Boolean).length
  return (
    <details className="news-filters" open={used > 0}>
      <summary>
        {m.news_filters()}
        {used > 0 ? <span className="num"> · {used}</span> : null}
        <Icon name="chevron" />
      </summary>
      <div className="news-filters-fields">
        <Choice
          label={m.news_filter_column()}
          value={columnId ?? ''}
          onValue={(next) => set({ columnId: next || undefined })}
        >
          {columns.data?.map(({ id, name, nameEn }) => (
            <option key={id} value={id}>
              {inLanguage(name, nameEn)}
            </option>
          ))}
        </Choice>
        <Choice
          label={m.news_filter_department()}
          value={department ?? ''}
          onValue={(next) => set({ department: next || undefined })}
        >
          {departments.data?.map(({ name, nameEn }) => (
            <option key={name} value={name}>
              {inLanguage(name, nameEn)}
            </option>
          ))}
        </Choice>
        <DateField
          label={m.news_filter_from()}
          value={from ?? ''}
          onValue={(next) => set({ from: next || undefined })}
        />
        <DateField
          label={m.news_filter_to()}
          value={to ?? ''}
          onValue={(next) => set({ to: next || undefined })}
        />
      </div>
    </details>
  )
}

type ChoiceProps = {
  label: string
  value: string
  onValue: (value: string) => void
  children: ReactNode
}

function Choice({ children, ...choice }: ChoiceProps) {
  return (
    <SelectField {...choice}>
      <option value="">{m.news_filter_any()}</option>
      {children}
    </SelectField>
  )
}

function SearchResults() {
  const { keyWords = '', columnId, department, from, to, order = 'relevance' } = useSearch(path)
  const search = useSearch(path)
  const found = useArticleSearch({ keyWords, columnId, department, from, to, order })
  return (
    <>
      <fieldset className="news-order">
        <legend className="unseen">{m.news_sort()}</legend>
        {(['relevance', 'newest'] as const).map((one) => (
          <label key={one}>
            <input
              type="radio"
              name="order"
              checked={one === order}
              onChange={() =>
                redirect(path, { ...search, order: one === 'relevance' ? undefined : one })
              }
            />
            <span>{one === 'relevance' ? m.news_sort_relevance() : m.news_sort_newest()}</span>
          </label>
        ))}
      </fieldset>
      <QueryView
        query={found}
        skeleton={<Skeleton rows={6} height={96} label={m.shell_loading()} />}
        isEmpty={({ pages: [first] }) => first?.list.length === 0}
        empty={
          <Empty icon="search" title={m.news_found_none({ words: withoutQuotes(keyWords) })}>
            {m.news_found_none_text()}
          </Empty>
        }
      >
        {({ pages }) => (
          <>
            <ul
              className="news-found"
              aria-label={m.news_found()}
              aria-busy={found.isPlaceholderData}
            >
              {pages.flatMap(({ list, words }) =>
                list.map((article) => <Result key={article.id} article={article} words={words} />),
              )}
            </ul>
            <ListEnd query={found} />
          </>
        )}
      </QueryView>
    </>
  )
}

/** The search terms without quotation marks, for a sentence that adds its own. */
const withoutQuotes = (words: string) => words.replace(/["“”«»「」『』]/g, '').trim() || words

function Result({ article, words }: { article: FoundArticle; words: readonly string[] }) {
  const { id, columnId, title, titleEn, excerpt, releaseStartTime } = article
  const english = getLanguage() === 'en'
  return (
    <li>
      <Link to="/pagesA/news/detail" search={{ id, columnId }}>
        <span className="news-found-title" lang={english && !titleEn ? 'zh-CN' : undefined}>
          <MarkedText text={inLanguage(title, titleEn)} words={words} />
        </span>
        <span className="news-found-text" lang={english ? langOf(excerpt) : undefined}>
          <MarkedText text={excerpt} words={words} />
        </span>
        <span className="muted num">
          <Facts
            of={[
              inLanguage(article.columnName, article.columnNameEn),
              inLanguage(article.releaseDeptName, article.releaseDeptNameEn),
              <time key="time" dateTime={releaseStartTime}>
                {formatRelativeTime('news', releaseStartTime)}
              </time>,
            ]}
          />
          <OnlyInLanguage
            zh={article.languages?.includes('zh') ?? false}
            en={article.languages?.includes('en') ?? false}
          />
        </span>
      </Link>
    </li>
  )
}

const langOf = (text: string) => (/[\u4e00-\u9fff]/.test(text) ? 'zh-CN' : undefined)

/** Popular articles, shown before anything is typed. */
function Popular() {
  const popular = usePopular()
  return (
    <QueryView
      query={popular}
      skeleton={<Skeleton rows={6} height={82} label={m.shell_loading()} />}
      isEmpty={(list) => list.length === 0}
      empty={
        <Empty icon="search" title={m.news_search_hint()}>
          {m.news_search_hint_text()}
        </Empty>
      }
    >
      {(list) => (
        <>
          <p className="muted">{m.news_search_hint_text()}</p>
          <Card title={m.news_popular()}>
            <ul>
              {list.map((article) => (
                <ArticleCard key={article.id} article={article} />
              ))}
            </ul>
          </Card>
        </>
      )}
    </QueryView>
  )
}
