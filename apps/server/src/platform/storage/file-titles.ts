import type { Db } from '#platform/database/db.ts'
import { extension } from '#platform/extension.ts'
import type { Viewer } from '#platform/http/guard.ts'

type FindTitle = (
  db: Db,
  viewer: Viewer,
  fileId: string,
) => Promise<{ title: string; titleEn: string } | undefined>

/** Finds the title of content that shows a file to this viewer, for files without a name. */
export const fileTitles = extension<FindTitle>()
