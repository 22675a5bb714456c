import type { ArticleText } from '@atrium/contract/content/editorial.operator'
import { sql } from 'kysely'
import { withOwnMedia } from '#domains/content/news/rules.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { picturesOf } from '#platform/images/pictures.ts'
import type { Platform } from '#platform/platform.ts'
import {
  fileIssues,
  filesNamedIn,
  listUses,
  replaceUses,
  withPlainAddresses,
  withShownFiles,
} from '#platform/storage/file-use.ts'
import { withFormulas } from '#platform/text/formulas.ts'
import { toHtml, toStored } from './texts.ts'

/** The file ids in a text, each with the field that contains it. */
const filesOf = ({ text, textEn, titleImageFileId, attachments }: ArticleText) =>
  new Map([
    ...filesNamedIn({ textEn, text }),
    ...attachments.map(({ fileId }, index) => [fileId, `attachments.${index}.fileId`] as const),
    ...(titleImageFileId ? [[titleImageFileId, 'titleImageFileId'] as const] : []),
  ])

/**
 * The text in its stored form, if all its files belong to its author or were used by the article before.
 * @throws request.invalid naming the fields
 */
export async function validateText(
  { isOwnOrigin }: Platform,
  db: Db,
  viewer: Member,
  input: ArticleText,
  articleId?: string,
): Promise<ArticleText> {
  const stored = toStored(input)
  const text = {
    ...stored,
    text: withPlainAddresses(stored.text, isOwnOrigin),
    textEn: withPlainAddresses(stored.textEn, isOwnOrigin),
  }
  const existingUses = articleId
    ? await db
        .selectFrom('file_use')
        .select('file_id')
        .where('article_id', '=', articleId)
        .execute()
    : []
  const fields = await fileIssues(
    db,
    viewer,
    filesOf(text),
    new Set(existingUses.map((file) => file.file_id)),
  )
  if (text.titleImageFileId && !fields.titleImageFileId) {
    const [image] = await filesById(db, [text.titleImageFileId])
    if (!image?.media_type.startsWith('image/')) fields.titleImageFileId = 'format'
  }
  if (Object.keys(fields).length > 0) fail('request.invalid', { fields })
  return text
}

/**
 * Records the files of a version: they are retained as long as the version, and its readers may open them once it is
 * shown.
 */
export const recordFileUses = (db: Db, articleId: string, number: number, text: ArticleText) =>
  replaceUses(db, { article_id: articleId, article_version: number }, [...filesOf(text).keys()])

/** Replaces the attachments of the published text. */
export async function replaceAttachments(db: Db, articleId: string, { attachments }: ArticleText) {
  await db.deleteFrom('article_attachment').where('article_id', '=', articleId).execute()
  if (attachments.length > 0)
    await db
      .insertInto('article_attachment')
      .values(
        attachments.map(({ name, fileId }, position) => ({
          article_id: articleId,
          name,
          file_id: fileId,
          position,
        })),
      )
      .execute()
}

const filesById = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('file')
    .select(['id', 'is_public', 'media_type', 'byte_size'])
    .where('id', '=', sql<string>`any(${ids as string[]}::bigint[])`)
    .execute()

/** A version as readers would see it, for its editors. */
export async function previewOf(
  platform: Platform,
  id: string,
  number: number,
  { format, text, textEn, titleImageFileId, attachments }: ArticleText,
) {
  const { db, files } = platform
  const [pictures, uses, rows] = await Promise.all([
    picturesOf(platform),
    listUses(db, { article_id: id, article_version: number }),
    filesById(
      db,
      [titleImageFileId, ...attachments.map(({ fileId }) => fileId)].filter((key) => key !== null),
    ),
  ])
  const signed = uses.filter((file) => !file.is_public).map((file) => file.id)
  const render = (source: string) => withShownFiles(files, toHtml(format, source), signed)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const image = titleImageFileId === null ? undefined : byId.get(titleImageFileId)
  const [editable, editableEn] = [render(text), render(textEn)]
  return {
    editable,
    editableEn,
    preview: withFormulas(withOwnMedia(editable, 'zh', pictures.ofText)),
    previewEn: withFormulas(withOwnMedia(editableEn, 'en', pictures.ofText)),
    titleImage: image ? pictures.address('wide', image) : '',
    attachments: attachments.flatMap(({ name, fileId }) => {
      const file = byId.get(fileId)
      if (!file) return []
      return [{ name, mediaType: file.media_type, size: file.byte_size, url: files.address(file) }]
    }),
  }
}
