import { sql } from 'kysely'
import { indexServices } from '../src/domains/services/services/search.ts'
import type { Db } from '../src/platform/database/db.ts'
import type { Files } from '../src/platform/storage/files.ts'
import { pinyinOf } from '../src/platform/text/pinyin.ts'
import { guides, plainPdf, servicePages, synonyms, traits } from './catalogue.ts'
import { healthAt } from './health.ts'
import { type audiences, type Ids, insert, numbered, type Row } from './rows.ts'
import { favourites, lastUsed, services, serviceTypes } from './services.ts'

export async function fillServices(
  db: Db,
  today: Date,
  accountIds: Ids,
  organizationIds: Ids,
  audienceOf: ReturnType<typeof audiences>,
) {
  await insert(
    db,
    'service_type',
    numbered(serviceTypes, ({ code, name, nameEn }, position) => ({
      code,
      name,
      name_en: nameEn,
      position,
    })),
  )
  const typeIds = new Map(serviceTypes.map(({ code }, at) => [code, at + 1]))
  const rows: Row[] = []
  for (const [at, service] of services.entries()) {
    rows.push({
      id: at + 1,
      service_no: service.serviceNo,
      name: service.name,
      name_en: service.nameEn,
      summary: service.summary,
      summary_en: service.summaryEn,
      ...pinyinOf(service.name),
      type_id: typeIds.get(service.typeCode),
      organization_id: organizationIds.get(service.departmentCode),
      url: service.url,
      glyph: service.glyph,
      tone: service.tone,
      kind: '',
      tags: service.tags,
      contact: service.contact,
      hours: service.hours,
      needs_vpn: service.needsVpn,
      recommended: service.recommended,
      notice: service.maintenance?.text ?? '',
      notice_en: service.maintenance?.textEn ?? '',
      audience_id: await audienceOf(service.audience),
      position: service.position,
      online: true,
      online_at: new Date(today.getTime() - service.onlineDaysAgo * 86_400_000),
      use_count: Math.round(service.usage ** 2 * 2.3) + ((at * 13) % 40),
    })
  }
  await insert(db, 'service', rows)
  const ids = new Map(services.map(({ name }, at) => [name, at + 1]))
  await insert(
    db,
    'service_use',
    Object.entries(lastUsed).flatMap(([username, names]) =>
      names.map((name, at) => ({
        account_id: accountIds.get(username),
        service_id: ids.get(name),
        use_count: 40 - at * 3,
        last_used_at: new Date(today.getTime() - (at * 9 + 1) * 3_600_000),
        counted_at: new Date(today.getTime() - (at * 9 + 1) * 3_600_000),
      })),
    ),
  )
  await insert(
    db,
    'service_favourite',
    Object.entries(favourites).flatMap(([username, names]) =>
      names.map((name, at) => ({
        account_id: accountIds.get(username),
        service_id: ids.get(name),
        position: at,
        created_at: new Date(today.getTime() - (at + 1) * 4 * 86_400_000),
      })),
    ),
  )
}

/** Services that are out of service, and planned maintenance. */
export async function fillHealth(db: Db, today: Date) {
  const idOf = (name: string) => services.findIndex((service) => service.name === name) + 1
  const { maintenance, down } = healthAt(today)
  await insert(
    db,
    'service_maintenance',
    numbered(maintenance, ({ service, alternative, ...window }) => ({
      ...window,
      service_id: idOf(service),
      alternative_id: alternative && idOf(alternative),
    })),
  )
  for (const { service, since, fault, note, note_en } of down) {
    const url = services[idOf(service) - 1]?.url ?? ''
    const { origin } = new URL(url)
    const found = { state: 'down', since, status: 503, checked_at: since, failures: 3 }
    await insert(db, 'service_host', [{ origin, ...found, fault, next_at: since }])
    const health = { service_id: idOf(service), status: 503, checked_at: since, note, note_en }
    await insert(db, 'service_health', [{ ...health, watched: true }])
  }
}

/** Special properties of services, their guides, and their recent use. */
export async function fillCatalogue(db: Db, today: Date, files: Files, accountIds: Ids) {
  const idOf = (name: string) => services.findIndex((service) => service.name === name) + 1
  for (const [name, trait] of Object.entries(traits)) {
    await db
      .updateTable('service')
      .set({
        marks: trait.marks ?? [],
        force_recommended: trait.forced ?? false,
        opening: trait.opening ?? 'auto',
        mini_program: trait.miniProgram ? JSON.stringify(trait.miniProgram) : null,
        token_accept: trait.tokenAccept ? JSON.stringify(trait.tokenAccept) : null,
        source: trait.source ?? '',
        tech_type: trait.techType ?? '',
      })
      .where('id', '=', String(idOf(name)))
      .execute()
  }
  await insert(
    db,
    'service_synonym',
    synonyms.map((words) => ({ words })),
  )
  await insert(
    db,
    'service_page',
    servicePages.map(({ service, name, nameEn, words, url, fieldName, fieldNameEn }) => ({
      service_id: idOf(service),
      name,
      name_en: nameEn,
      words,
      url,
      field_name: fieldName ?? '',
      field_name_en: fieldNameEn ?? '',
    })),
  )
  const all = Object.entries(guides).map(([name, guide]) => ({ service_id: idOf(name), guide }))
  await insert(
    db,
    'service_guide',
    all.map(({ service_id, guide }) => ({
      service_id,
      intro: guide.intro[0],
      intro_en: guide.intro[1],
      applies_to: guide.appliesTo[0],
      applies_to_en: guide.appliesTo[1],
      place: guide.place[0],
      place_en: guide.place[1],
      hours: guide.hours?.[0] ?? '',
      hours_en: guide.hours?.[1] ?? '',
      contact: guide.contact?.[0] ?? '',
      contact_en: guide.contact?.[1] ?? '',
      updated_at: new Date(today.getTime() - 20 * 86_400_000),
    })),
  )
  await sql`update service set have_guide = true where id in (select service_id from service_guide)`.execute(
    db,
  )
  await insert(
    db,
    'service_guide_step',
    all.flatMap(({ service_id, guide }) =>
      guide.steps.map(({ title, content }, position) => ({
        service_id,
        position,
        title: title[0],
        title_en: title[1],
        content: content?.[0] ?? '',
        content_en: content?.[1] ?? '',
      })),
    ),
  )
  await insert(
    db,
    'service_guide_material',
    all.flatMap(({ service_id, guide }) =>
      guide.materials.map(({ name, note, optional, copies }, position) => ({
        service_id,
        position,
        name: name[0],
        name_en: name[1],
        note: note?.[0] ?? '',
        note_en: note?.[1] ?? '',
        required: !optional,
        copies: copies ?? 1,
      })),
    ),
  )
  for (const { service_id, guide } of all)
    for (const [position, { name, lines }] of (guide.attachments ?? []).entries()) {
      const about = { mediaType: 'application/pdf', isPublic: false }
      const file_id = await files.keep(db, plainPdf(lines), about)
      await insert(db, 'service_guide_attachment', [
        { service_id, position, name: name[0], name_en: name[1], file_id },
      ])
    }
  await insert(db, 'service_owner', [
    { service_id: idOf('信息化服务台'), account_id: accountIds.get('admin'), created_at: today },
    { service_id: idOf('用印申请'), account_id: accountIds.get('staff'), created_at: today },
  ])
  // Daily use according to the service's popularity, with some variation.
  await sql`
    insert into service_use_day (service_id, day, shard, uses)
    select id, current_date - ago, 0,
      greatest(1, round(use_count / 120.0 * (0.7 + (id * 7 + ago * 13) % 10 / 14.0)))::integer
    from service, generate_series(0, 89) as ago`.execute(db)
  await indexServices(db)
}
