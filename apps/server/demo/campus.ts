import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../src/platform/database/db.ts'
import { invalidate } from '../src/platform/database/topics.ts'
import type { Platform } from '../src/platform/platform.ts'
import type { Secret } from '../src/platform/secret.ts'
import { webhookSecret } from './campus-secret.ts'
import { healthAt } from './health.ts'
import { allowLoopback } from './loopback.ts'
import { services } from './services.ts'
import { describeSystems } from './systems.ts'

const code = 'campus'

/**
 * Points the demo's services to the systems of `examples/campus`, which sign members in here and send their approvals
 * to the portal's to-dos; without them, to example addresses.
 * @param campus address of the systems and the shared secret
 */
export async function setCampus(
  db: Db,
  secret: Secret,
  campus: { url: string; secret: string } | undefined,
) {
  await pointServices(db, campus?.url)
  await pointLinks(db, campus && new URL(campus.url).origin)
  if (!campus) return
  const { origin } = new URL(campus.url)
  const party = {
    code,
    name: '教务与后勤系统',
    name_en: 'Campus systems',
    redirect_uris: [`${origin}/signed-in`],
    attributes: ['name'],
    integrations: ['message', 'transaction', 'personal', 'schedule'],
    secret_hash: createHash('sha256').update(campus.secret).digest('hex'),
  }
  const { id } = await db
    .insertInto('relying_party')
    .values(party)
    .onConflict((conflict) => conflict.column('code').doUpdateSet(party))
    .returning('id')
    .executeTakeFirstOrThrow()
  const source = {
    code,
    name: '教务与后勤系统',
    name_en: 'Campus systems',
    relying_party_id: id,
    callback_url: toLoopback(`${origin}/told`),
    list_url: toLoopback(`${origin}/told`),
    sealed_secret: secret.encrypt(webhookSecret(campus.secret)),
  }
  await db
    .insertInto('task_source')
    .values(source)
    .onConflict((conflict) => conflict.column('code').doUpdateSet(source))
    .execute()
  // The systems may send messages for the existing message applications.
  await db
    .updateTable('message_app')
    .set({ relying_party_id: id })
    .where('code', 'in', ['card', 'library', 'repair', 'student', 'jw'])
    .execute()
  await invalidate(db, 'registry')
}

/**
 * Connects the demo's systems at the address from the environment.
 * @returns whether one is configured
 */
export async function openCampus(platform: Platform) {
  const { db, env, secret } = platform
  const { ATRIUM_CAMPUS_URL: url, ATRIUM_CAMPUS_SECRET: shared } = env
  const campus = url && shared ? { url, secret: shared } : undefined
  await db.transaction().execute((db) => setCampus(db, secret, campus))
  if (!campus) return false
  const { hostname, port, origin } = new URL(toLoopback(campus.url))
  if (hostname === '127.0.0.1') allowLoopback(env, port || 80)
  await describeSystems(platform, origin, webhookSecret(campus.secret))
  return true
}

/** `localhost` may resolve to IPv6, but the systems listen on 127.0.0.1. */
function toLoopback(address: string) {
  const url = new URL(address)
  if (url.hostname === 'localhost') url.hostname = '127.0.0.1'
  return url.href
}

/** Services that are out of service in the demo keep an address where nothing answers; operators' changes stay. */
async function pointServices(db: Db, base: string | undefined) {
  const down = new Set(healthAt(new Date()).down.map(({ service }) => service))
  const wanted = services.flatMap(({ serviceNo, name, url }) => {
    const found = /^https:\/\/([^.]+)\.jianglan\.example(\/.*)$/.exec(url)
    if (!found || down.has(name)) return []
    const path = `/${found[1]}${found[2]}`
    return [{ no: serviceNo, path, own: url, url: base ? `${new URL(base).origin}${path}` : url }]
  })
  const changed = await sql`
    update service set url = wanted.url
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as wanted (no text, path text, own text, url text)
    where service.service_no = wanted.no and service.url <> wanted.url
      and (service.url = wanted.own or service.url ~ '^https?://[^/]+/' and substr(service.url, length(service.url) - length(wanted.path) + 1) = wanted.path)`.execute(
    db,
  )
  if (changed.numAffectedRows) await invalidate(db, 'services')
}

/** Other columns with addresses of the demo's systems. */
const links = [
  ['message', 'url', 'text'],
  ['message', 'actions', 'jsonb'],
  ['task', 'url', 'text'],
  ['service_page', 'url', 'text'],
  ['file_favourite', 'file_link', 'text'],
  ['personal_card', 'value', 'jsonb'],
] as const

/** Points links to the systems' current address, also those that hold the address of the previous start. */
async function pointLinks(db: Db, origin: string | undefined) {
  const known = await db
    .selectFrom('relying_party')
    .select('redirect_uris')
    .where('code', '=', code)
    .executeTakeFirst()
  const [before] = known?.redirect_uris ?? []
  const last = before && new URL(before).origin
  for (const [table, column, type] of links) {
    const [target, given] = [sql.ref(column), sql`${sql.ref(column)}::text`]
    const unpointed = last
      ? sql`regexp_replace(${given}, ${`${last.replaceAll('.', '\\.')}/([a-z-]+)/`}, 'https://\\1.jianglan.example/', 'g')`
      : given
    const pointed = origin
      ? sql`regexp_replace(${unpointed}, 'https://([a-z-]+)\\.jianglan\\.example/', ${`${origin}/\\1/`}, 'g')`
      : unpointed
    await sql`update ${sql.table(table)} set ${target} = (${pointed})::${sql.raw(type)}
      where ${given} like '%.jianglan.example/%' or ${given} like ${`%${last ?? '.jianglan.example'}/%`}`.execute(
      db,
    )
  }
}
