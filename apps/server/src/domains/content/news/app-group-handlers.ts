import type { AppGroups, appGroups } from '@atrium/contract/content/app-groups'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Handlers } from '#platform/http/serve.ts'

export const appGroupHandlers: Handlers<typeof appGroups> = {
  read: ({ db, viewer }) => readAppGroups(db, viewer.accountId),

  save: ({ platform, viewer: { accountId }, body }) =>
    platform.db.transaction().execute(async (db) => {
      const groups = body.groups.map(({ name, appIds }) => ({ name: name.trim(), appIds }))
      groups.forEach(({ name }, index) => {
        if (!name) fail('request.invalid', { fields: { [`groups.${index}.name`]: 'required' } })
        if (groups.findIndex((other) => equalsIgnoringCase(other.name, name)) !== index)
          fail('request.invalid', { fields: { [`groups.${index}.name`]: 'twice' } })
      })
      const ids = groups.flatMap(({ appIds }) => appIds)
      if (new Set(ids).size !== ids.length) fail('request.invalid', { fields: { groups: 'twice' } })
      const { rows } =
        await sql`select id from message_app where id = any(${ids}::bigint[])`.execute(db)
      if (rows.length !== ids.length) fail('request.invalid', { fields: { groups: 'unknown' } })
      // Serialises concurrent saves from two devices: the later one replaces the groups instead of adding to them.
      await sql`select from account where id = ${accountId} for update`.execute(db)
      await db.deleteFrom('message_app_group').where('account_id', '=', accountId).execute()
      await sql`
        with created as (
          insert into message_app_group (account_id, name, position)
          select ${accountId}::bigint, name, place from unnest(${groups.map(({ name }) => name)}::text[])
            with ordinality as input (name, place)
          returning id, position
        )
        insert into message_app_in_group (account_id, app_id, group_id)
        select ${accountId}::bigint, input.app_id, created.id
        from unnest(${ids}::bigint[], ${groups.flatMap(({ appIds }, index) => appIds.map(() => index + 1))}::integer[])
          as input (app_id, position)
        join created using (position)`.execute(db)
      return readAppGroups(db, accountId)
    }),
}

const equalsIgnoringCase = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

async function readAppGroups(db: Db, accountId: string): Promise<AppGroups> {
  const { rows: groups } = await sql<AppGroups['groups'][number]>`
    select g.name, array(
      select i.app_id::text from message_app_in_group i join message_app a on a.id = i.app_id
      where i.group_id = g.id order by a.position, a.id
    ) as "appIds"
    from message_app_group g where g.account_id = ${accountId} order by g.position`.execute(db)
  const apps = await db
    .selectFrom('message_app')
    .select(['id', 'name', 'name_en', 'glyph', 'tone'])
    .orderBy('position')
    .orderBy('id')
    .limit(500)
    .execute()
  return {
    groups,
    apps: apps.map(({ id, name, name_en, glyph, tone }) => ({
      appId: id,
      name,
      nameEn: name_en,
      icon: { glyph, tone: tone as AppGroups['apps'][number]['icon']['tone'] },
    })),
  }
}
