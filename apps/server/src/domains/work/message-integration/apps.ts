import type { Body } from '@atrium/contract/define'
import type {
  messageApps,
  RegisteredMessageApp,
} from '@atrium/contract/work/message-integration.operator'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Secret } from '#platform/secret.ts'

type AppFields = Omit<Body<typeof messageApps.create>, 'code' | 'kinds'>
type Kind = Body<typeof messageApps.create>['kinds'][number]

/** @throws message.app_known, request.invalid */
export async function createApp(
  db: Db,
  secret: Secret,
  { kinds, code, ...fields }: Body<typeof messageApps.create>,
) {
  const inserted = await db
    .insertInto('message_app')
    .values({ code, ...(await columnsOf(secret, db, fields)) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!inserted) fail('message.app_known')
  await saveKinds(db, inserted.id, kinds)
  return getRegistered(db, code)
}

/** Kinds that are not given are unchanged. @throws message.app_not_found, request.invalid */
export async function updateApp(
  db: Db,
  secret: Secret,
  code: string,
  { kinds = [], ...fields }: Body<typeof messageApps.update>,
) {
  const updated = await db
    .updateTable('message_app')
    .set({ ...(await columnsOf(secret, db, fields)), callback_due_at: sql`now()` })
    .where('code', '=', code)
    .returning('id')
    .executeTakeFirst()
  await saveKinds(db, (updated ?? fail('message.app_not_found')).id, kinds)
  return getRegistered(db, code)
}

/** @throws message.app_not_found, message.app_used */
export async function removeApp(db: Db, code: string) {
  const app = await db
    .selectFrom('message_app')
    .select([
      'id',
      sql<boolean>`exists (select from message where app_id = message_app.id)`.as('used'),
    ])
    .where('code', '=', code)
    .executeTakeFirst()
  if (!app) fail('message.app_not_found')
  if (app.used) fail('message.app_used')
  await db.deleteFrom('message_app').where('id', '=', app.id).execute()
}

async function columnsOf(secret: Secret, db: Db, body: AppFields) {
  const { icon, system, callbackUrl, callbackSecret } = body
  const party = system
    ? await db
        .selectFrom('relying_party')
        .select('id')
        .where('code', '=', system)
        .executeTakeFirst()
    : undefined
  if (system && !party) fail('request.invalid', { fields: { system: 'unknown' } })
  return {
    name: body.name.trim(),
    name_en: body.nameEn.trim(),
    description: body.description,
    description_en: body.descriptionEn,
    glyph: icon.glyph,
    tone: icon.tone,
    position: body.position,
    ...(system !== undefined && { relying_party_id: party?.id ?? null }),
    callback_url: callbackUrl,
    ...(callbackSecret && { sealed_callback_secret: secret.encrypt(callbackSecret) }),
  }
}

async function saveKinds(db: Db, appId: string, kinds: readonly Kind[]) {
  for (const [position, kind] of kinds.entries()) {
    const { defaultChannels, channels } = kind
    if (defaultChannels.some((channel) => !channels.includes(channel)))
      fail('request.invalid', { fields: { [`kinds.${position}.defaultChannels`]: 'choice' } })
    const values = {
      name: kind.name.trim(),
      name_en: kind.nameEn.trim(),
      channels,
      default_channels: defaultChannels,
      can_turn_off: kind.canTurnOff,
      urgent: kind.urgent,
      keep_days: kind.keepDays,
      max_per_hour: kind.maxPerHour ?? null,
      template: kind.template ? JSON.stringify(kind.template) : null,
      position,
    }
    await db
      .insertInto('message_kind')
      .values({ app_id: appId, code: kind.code, ...values })
      .onConflict((conflict) => conflict.columns(['app_id', 'code']).doUpdateSet(values))
      .execute()
  }
}

const getRegistered = async (db: Db, code: string) =>
  (await listRegistered(db, code))[0] ?? fail('message.app_not_found')

/** Applications with their kinds and the number of pending callback events. */
export async function listRegistered(db: Db, code?: string): Promise<RegisteredMessageApp[]> {
  const apps = await db
    .selectFrom('message_app as app')
    .leftJoin('relying_party', 'relying_party.id', 'app.relying_party_id')
    .selectAll('app')
    .select('relying_party.code as system')
    .select([
      sql<number>`(select count(*)::integer from message_event where app_id = app.id)`.as(
        'waiting',
      ),
      sql<string | null>`(select max(sent_at) from message where app_id = app.id)`.as(
        'last_sent_at',
      ),
    ])
    .$if(code !== undefined, (query) => query.where('app.code', '=', code as string))
    .orderBy('app.position')
    .orderBy('app.id')
    .limit(500)
    .execute()
  const kinds = await db
    .selectFrom('message_kind')
    .selectAll()
    .where('app_id', '=', sql<string>`any(${apps.map(({ id }) => id)}::bigint[])`)
    .orderBy('position')
    .orderBy('id')
    .execute()
  return apps.map((app) => ({
    code: app.code,
    name: app.name,
    nameEn: app.name_en,
    description: app.description,
    descriptionEn: app.description_en,
    icon: { glyph: app.glyph, tone: app.tone as RegisteredMessageApp['icon']['tone'] },
    position: app.position,
    system: app.system,
    callbackUrl: app.callback_url,
    callbackWaiting: app.waiting,
    callbackError: app.callback_error,
    lastSentAt: app.last_sent_at,
    kinds: kinds
      .filter(({ app_id }) => app_id === app.id)
      .map((kind) => ({
        code: kind.code,
        name: kind.name,
        nameEn: kind.name_en,
        channels: kind.channels as Kind['channels'],
        defaultChannels: kind.default_channels as Kind['defaultChannels'],
        canTurnOff: kind.can_turn_off,
        urgent: kind.urgent,
        keepDays: kind.keep_days,
        maxPerHour: kind.max_per_hour,
        template: kind.template as Kind['template'],
      })),
  }))
}
