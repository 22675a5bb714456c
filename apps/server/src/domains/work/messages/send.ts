import { type RawBuilder, sql } from 'kysely'
import type { Rule } from '#platform/audience.ts'
import type { Db } from '#platform/database/db.ts'
import { announce } from '#platform/database/topics.ts'
import { extension } from '#platform/extension.ts'
import { cleanRichText } from '#platform/text/rich-text.ts'
import { type BuiltInKind, type Channel, getBuiltInKind } from './built-in-apps.ts'

/** A text in both languages; without an English one the Chinese one is shown. */
export type Text = { zh: string; en?: string }

/**
 * SQL expression of type jsonb over `account_id`: the variable values of each reader, evaluated for all readers in one
 * statement.
 */
export type Variables = RawBuilder<unknown>

export type NewMessage = {
  /** one of the portal's own kinds, or the row of an integrator's kind */
  kind: BuiltInKind | { id: string; app_id: string }
  /** account ids, each at most once, or everybody the rules admit */
  to: { accounts: readonly string[]; variables?: Variables } | { rules: readonly Rule[] }
  /** variables whose values differ per reader; every delivery has all of them */
  variables?: readonly string[]
  /** mails contain the full text instead of the summary */
  mailsContent?: boolean
  title: Text
  summary?: Text
  /** HTML; sanitised by `sendMessage` */
  content?: Text
  sender?: Text
  /** a path in the portal or an https address */
  url?: string
  actions?: readonly { text: string; textEn: string; url: string }[]
  choices?: readonly { value: string; text: string; textEn: string }[]
  asksConfirmation?: boolean
  /** ISO 8601 */
  confirmUntil?: string | undefined
  validUntil?: string | undefined
  /** bypasses quiet hours, digests and the hourly limit; the caller checks the permission */
  urgent?: boolean
  /** the sender's channels in addition to the inbox; by default those of the kind */
  channels?: readonly Channel[]
  attachments?: readonly { fileId: string; name: string }[]
  /** the sender's code and its own id: sending the same pair again has no effect */
  source?: { code: string; key: string }
}

/**
 * Called for each batch of deliveries, in the transaction that writes it; notifications by other channels start here.
 */
export const deliveryListeners =
  extension<
    (db: Db, delivered: { messageId: string; accounts: readonly string[] }) => Promise<void>
  >()

/**
 * The only way into a member's inbox. Named accounts have the message when the caller's transaction commits; an
 * audience gets it in batches right after (`broadcast.ts`).
 * @returns the message, and whether it had already been sent with the same source and key
 */
export async function sendMessage(
  db: Db,
  message: NewMessage,
): Promise<{ id: string; repeated: boolean }> {
  const kind = 'id' in message.kind ? message.kind : await getBuiltInKind(db, message.kind)
  const rules = 'rules' in message.to ? message.to.rules : undefined
  const inserted = await db
    .insertInto('message')
    .values({
      kind_id: kind.id,
      app_id: kind.app_id,
      title: message.title.zh,
      title_en: message.title.en ?? '',
      summary: message.summary?.zh ?? '',
      summary_en: message.summary?.en ?? '',
      content: cleanRichText(message.content?.zh ?? ''),
      content_en: cleanRichText(message.content?.en ?? ''),
      sender: message.sender?.zh ?? '',
      sender_en: message.sender?.en ?? '',
      url: message.url ?? '',
      actions: JSON.stringify(message.actions ?? []),
      choices: JSON.stringify(message.choices ?? []),
      asks_confirmation: message.asksConfirmation ?? false,
      confirm_until: message.confirmUntil ?? null,
      valid_until: message.validUntil ?? null,
      urgent: message.urgent ?? false,
      variables: [...(message.variables ?? [])],
      mails_content: message.mailsContent ?? false,
      channels: message.channels ? [...message.channels] : null,
      rules: rules ? JSON.stringify(rules) : null,
      spread_after: rules ? '0' : null,
      source: message.source?.code ?? null,
      source_key: message.source?.key ?? null,
    })
    .onConflict((conflict) =>
      conflict.columns(['source', 'source_key']).where('source_key', 'is not', null).doNothing(),
    )
    .returning(['id', 'app_id', 'sent_at'])
    .executeTakeFirst()
  if (!inserted) return { id: await findSent(db, message.source), repeated: true }
  if (message.attachments?.length) {
    await db
      .insertInto('message_attachment')
      .values(
        message.attachments.map(({ fileId, name }, position) => ({
          message_id: inserted.id,
          file_id: fileId,
          name,
          position,
        })),
      )
      .execute()
  }
  if ('accounts' in message.to)
    await deliver(db, inserted.id, message.to.accounts, message.to.variables)
  else await announce(db, { kind: 'broadcast', key: inserted.id })
  return { id: inserted.id, repeated: false }
}

async function findSent(db: Db, source: NewMessage['source']) {
  const { id } = await db
    .selectFrom('message')
    .select('id')
    .where('source', '=', source?.code ?? '')
    .where('source_key', '=', source?.key ?? '')
    .executeTakeFirstOrThrow()
  return id
}

/** Writes a message into these inboxes. */
export async function deliver(
  db: Db,
  messageId: string,
  accounts: readonly string[],
  variables: Variables = sql`null::jsonb`,
) {
  if (accounts.length === 0) return
  await sql`
    insert into message_delivery (account_id, message_id, app_id, sent_at, variables)
    select account_id, message.id, message.app_id, message.sent_at, ${variables}
    from message, unnest(${accounts as string[]}::bigint[]) as account_id
    where message.id = ${messageId}`.execute(db)
  for (const notify of deliveryListeners.all()) await notify(db, { messageId, accounts })
}
