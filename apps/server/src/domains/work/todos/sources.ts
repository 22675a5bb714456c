import type { TodoDetail } from '@atrium/contract/work/todos'
import { isVisible } from '#domains/content/news/queries.ts'
import { findMessage } from '#domains/work/messages/queries.ts'
import { findEvent } from '#domains/work/schedule/queries.ts'
import type { Db } from '#platform/database/db.ts'
import type { Member } from '#platform/http/guard.ts'

type VisibilityCheck = (db: Db, viewer: Member, id: string) => Promise<unknown>

/** Detail pages, and a check whether the member may see the item. */
const pages: Record<string, VisibilityCheck> = {
  '/pagesA/message/detail': (db, viewer, id) => findMessage(db, viewer.accountId, id),
  '/pagesA/news/detail': isVisible,
  '/pages/shedul/shedulDetail': findEvent,
}

/** The source of a to-do, if the viewer may see it now: it may have been withdrawn, or be closed to an executor. */
export async function getVisibleSource(
  db: Db,
  viewer: Member,
  source: TodoDetail['source'],
): Promise<TodoDetail['source']> {
  if (!source) return null
  const { pathname, searchParams } = new URL(source.url, 'http://portal')
  const isVisibleTo = Object.hasOwn(pages, pathname) ? pages[pathname] : undefined
  if (!isVisibleTo) return source
  const id = searchParams.get('id') ?? ''
  return /^\d{1,18}$/.test(id) && (await isVisibleTo(db, viewer, id)) ? source : null
}
