import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { cleanRichText } from '#platform/text/rich-text.ts'

/** Corrections to a sent message; a missing field leaves the stored value unchanged. */
export type Correction = {
  title?: string
  titleEn?: string
  summary?: string
  summaryEn?: string
  content?: string
  contentEn?: string
  sender?: string
  senderEn?: string
  url?: string
  actions?: readonly { text: string; textEn: string; url: string }[]
  validUntil?: string
}

export async function updateSent(db: Db, id: string, correction: Correction) {
  const { title, titleEn, summary, summaryEn, content, contentEn, sender, senderEn } = correction
  const columns = {
    title,
    title_en: titleEn,
    summary,
    summary_en: summaryEn,
    content: content === undefined ? undefined : cleanRichText(content),
    content_en: contentEn === undefined ? undefined : cleanRichText(contentEn),
    sender,
    sender_en: senderEn,
    url: correction.url,
    actions: correction.actions && JSON.stringify(correction.actions),
    valid_until: correction.validUntil,
  }
  if (Object.values(columns).every((value) => value === undefined)) return
  await db.updateTable('message').set(columns).where('id', '=', id).execute()
}

/** Removes a message from every inbox and ends its broadcast. The sender still sees what readers did. */
export async function withdraw(db: Db, id: string) {
  await db
    .updateTable('message')
    .set({ withdrawn_at: sql`coalesce(withdrawn_at, now())`, spread_after: null })
    .where('id', '=', id)
    .execute()
  await db
    .updateTable('message_delivery')
    .set({ hidden: 'withdrawn', hidden_at: sql`now()` })
    .where('message_id', '=', id)
    .where(sql<boolean>`hidden is distinct from 'withdrawn'`)
    .execute()
}
