import { useSearch } from '#shell/page/page-context.ts'
import { ArticleList } from './article-list.tsx'

/** The articles of a department. */
export default function NewsPage() {
  return <ArticleList kind="article" {...useSearch('/pages/secondWork/news/news')} />
}
