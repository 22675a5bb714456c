import { useSearch } from '#shell/page/page-context.ts'
import { ArticleList } from './article-list.tsx'

/** The announcements of a department. */
export default function AnnouncementsPage() {
  return <ArticleList kind="announcement" {...useSearch('/pages/secondWork/gonggao/gonggaoList')} />
}
