import type { Icon } from '@atrium/contract/define'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { extension } from '#platform/extension.ts'

/** Notification channels in addition to the inbox. */
export const channels = ['push', 'mail', 'sms', 'wecom', 'wechat'] as const
export type Channel = (typeof channels)[number]

type KindSpec = {
  name: string
  nameEn: string
  /** the channels it may use; `defaultChannels` apply until a member chooses */
  channels?: readonly Channel[]
  defaultChannels?: readonly Channel[]
  canTurnOff?: boolean
  urgent?: boolean
}
type AppSpec<K extends string> = {
  code: string
  name: string
  nameEn: string
  icon: Icon
  position: number
  kinds: Record<K, KindSpec>
}
/** A kind of message that an area of the portal sends. */
export type BuiltInKind = { app: AppSpec<string>; code: string }

/** The portal's own message applications, provided by the areas that send messages. */
export const builtInApps = extension<AppSpec<string>>()

/** Defines a message application of the portal. @returns its kinds, for `sendMessage` */
export const defineBuiltInApp = <K extends string>(spec: AppSpec<K>) => ({
  spec: spec as AppSpec<string>,
  kinds: Object.fromEntries(
    Object.keys(spec.kinds).map((code) => [code, { app: spec as AppSpec<string>, code }]),
  ) as Record<K, BuiltInKind>,
})

/** Inserts the application and its kinds if missing; existing rows may have been changed by operators. */
export async function ensureBuiltInApp(
  db: Db,
  { code, name, nameEn, icon, position, kinds }: AppSpec<string>,
) {
  await db
    .insertInto('message_app')
    .values({ code, name, name_en: nameEn, glyph: icon.glyph, tone: icon.tone, position })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { id } = await db
    .selectFrom('message_app')
    .select('id')
    .where('code', '=', code)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('message_kind')
    .values(
      Object.entries(kinds).map(([kindCode, kind], index) => ({
        app_id: id,
        code: kindCode,
        name: kind.name,
        name_en: kind.nameEn,
        channels: sql<string[]>`${kind.channels ?? channels}::text[]`,
        default_channels: sql<string[]>`${kind.defaultChannels ?? []}::text[]`,
        can_turn_off: kind.canTurnOff ?? true,
        urgent: kind.urgent ?? false,
        position: index,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const selectKind = (db: Db, appCode: string, code: string) =>
  db
    .selectFrom('message_kind as kind')
    .innerJoin('message_app as app', 'app.id', 'kind.app_id')
    .select(['kind.id', 'kind.app_id', 'kind.urgent'])
    .where('app.code', '=', appCode)
    .where('kind.code', '=', code)
    .executeTakeFirst()

/** The row of a kind, inserted on first use. */
export async function getBuiltInKind(db: Db, { app, code }: BuiltInKind) {
  const found = await selectKind(db, app.code, code)
  if (found) return found
  await ensureBuiltInApp(db, app)
  const inserted = await selectKind(db, app.code, code)
  if (!inserted) throw new Error(`message kind ${app.code}/${code} is missing`)
  return inserted
}
