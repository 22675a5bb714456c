import { ArticleList } from './article-list.tsx'

/** The announcements of a department. */
export default function AnnouncementsPage() {
  return <ArticleList kind="announcement" />
}
