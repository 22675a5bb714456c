import { promisify } from 'node:util'
import { zip } from 'fflate'
import { sql } from 'kysely'
import { sendMessage } from '#domains/work/messages/send.ts'
import type { Db } from '#platform/database/db.ts'
import { sendMail } from '#platform/delivery/outbox.ts'
import { belongsTo, listPersonalTables, type Owner, type Row } from '#platform/personal-data.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { personalPage, type Section } from './export-page.ts'
import { accountMessages } from './messages.ts'

export const exportName = 'personal-data.zip'
const retentionDays = 7

export async function ownerOf(db: Db, personId: string): Promise<Owner> {
  const rows = await db
    .selectFrom('account')
    .select('id')
    .where('person_id', '=', personId)
    .orderBy('id')
    .execute()
  return { personId, accountIds: rows.map(({ id }) => id) }
}

/** All exportable data about a person, by table. */
async function collect(db: Db, owner: Owner): Promise<Section[]> {
  const sections: Section[] = []
  for (const [table, about] of listPersonalTables()) {
    if (!about.title) continue
    const query =
      about.rows?.(owner) ??
      sql<{ row: Row }>`
        select to_jsonb(t) - ${(about.hide ?? []) as string[]}::text[] as row
        from ${sql.table(table)} t where ${belongsTo(owner, about, table)}`
    const { rows } = await query.execute(db)
    sections.push({ table, title: about.title, rows: rows.map(({ row }) => row) })
  }
  return sections
}

/** One ZIP with a readable page, JSON data, and the portrait. */
async function buildZip(
  { files, db }: Pick<Platform, 'files' | 'db'>,
  owner: Owner,
  about: { school: string; at: Date },
): Promise<Uint8Array> {
  const sections = await collect(db, owner)
  const text = (content: string) => new TextEncoder().encode(content)
  const data = Object.fromEntries(sections.map(({ table, rows }) => [table, rows]))
  const parts: Record<string, Uint8Array> = {
    'index.html': text(personalPage(sections, about)),
    'data.json': text(JSON.stringify({ made_at: about.at.toISOString(), ...data }, null, 2)),
  }
  const portrait = await db
    .selectFrom('person')
    .innerJoin('file', 'file.id', 'person.portrait_file_id')
    .select(['file.sha256', 'file.media_type'])
    .where('person.id', '=', owner.personId)
    .executeTakeFirst()
  if (portrait) {
    const chunks: Buffer[] = []
    for await (const chunk of files.read(portrait.sha256)) chunks.push(chunk as Buffer)
    const ending = portrait.media_type.replace(/^.*\/([a-z0-9]+).*$/, '$1')
    parts[`portrait.${ending}`] = Buffer.concat(chunks)
  }
  return promisify(zip as (data: Record<string, Uint8Array>, done: ZipDone) => void)(parts)
}
type ZipDone = (error: Error | null, zipped: Uint8Array) => void

/** Builds all requested exports one after the other; other nodes skip the one in progress. */
export async function buildExports(platform: Platform): Promise<void> {
  while (await buildNext(platform)) {}
}

async function buildNext(platform: Platform): Promise<boolean> {
  let claimedId: string | undefined
  try {
    return await platform.db.transaction().execute(async (db) => {
      const request = await db
        .selectFrom('personal_export')
        .select(['person_id as personId', 'account_id as accountId', 'file_id as fileId'])
        .where('status', '=', 'waiting')
        .orderBy('requested_at')
        .limit(1)
        .forUpdate()
        .skipLocked()
        .executeTakeFirst()
      if (!request) return false
      claimedId = request.personId
      const { schoolName } = await currentSettings(platform)
      const bytes = await buildZip(platform, await ownerOf(platform.db, request.personId), {
        school: schoolName,
        at: new Date(),
      })
      const fileId = await platform.files.keep(db, bytes, {
        mediaType: 'application/zip',
        isPublic: false,
      })
      await db
        .updateTable('personal_export')
        .set({
          status: 'ready',
          file_id: fileId,
          ready_at: sql`now()`,
          expires_at: sql<string>`now() + make_interval(days => ${retentionDays})`,
        })
        .where('person_id', '=', request.personId)
        .execute()
      if (request.fileId && request.fileId !== fileId)
        await platform.files.remove(db, request.fileId)
      await notifyReady(db, request)
      return true
    })
  } catch (error) {
    if (!claimedId) throw error
    // The person may request it again; other requests are not held up.
    platform.log.error({ err: error }, 'the export of personal information failed')
    await platform.db
      .updateTable('personal_export')
      .set({ status: 'failed' })
      .where('person_id', '=', claimedId)
      .where('status', '=', 'waiting')
      .execute()
    return true
  }
}

async function notifyReady(
  db: Db,
  { personId, accountId }: { personId: string; accountId: string },
) {
  const zh = `文件保留 ${retentionDays} 天，可在“隐私”中下载。如果不是你本人申请，请立即修改密码。`
  const en = `The file is kept for ${retentionDays} days; download it under Privacy. If this was not you, change your password now.`
  await sendMessage(db, {
    kind: accountMessages.kinds.export,
    to: { accounts: [accountId] },
    title: { zh: '你的个人信息文件已准备好', en: 'Your personal data is ready' },
    summary: { zh, en },
    url: '/pages/privacy/privacy',
  })
  const person = await db
    .selectFrom('person')
    .select('email')
    .where('id', '=', personId)
    .where('email_verified_at', 'is not', null)
    .executeTakeFirst()
  if (person?.email)
    await sendMail(db, {
      to: person.email,
      subject: '你的个人信息文件已准备好 / Your personal data is ready',
      text: `文件保留 ${retentionDays} 天，请登录门户，在“我的 > 设置 > 隐私”中下载。如果不是你本人申请，请立即修改密码。\n\nThe file is kept for ${retentionDays} days. Sign in to the portal and download it under Me > Settings > Privacy. If this was not you, change your password now.\n`,
    })
}

/** Deletes expired files. */
export async function clearExports(platform: Platform): Promise<void> {
  await platform.db.transaction().execute(async (db) => {
    const expired = await db
      .updateTable('personal_export as export')
      .from(
        db
          .selectFrom('personal_export')
          .select(['person_id', 'file_id'])
          .where('expires_at', '<', sql<string>`now()`)
          .where('status', '=', 'ready')
          .forUpdate()
          .skipLocked()
          .as('old'),
      )
      .whereRef('old.person_id', '=', 'export.person_id')
      .set({ status: 'gone', file_id: null })
      .returning('old.file_id as fileId')
      .execute()
    for (const { fileId } of expired) if (fileId) await platform.files.remove(db, fileId)
  })
}
