import { sql } from 'kysely'
import { serviceFields } from '#domains/services/services/import-services.ts'
import type { Rule } from '#platform/audience.ts'
import { audienceText } from '#platform/audience-text.ts'
import type { Db } from '#platform/database/db.ts'
import { csvHead, csvLine } from '#platform/ingest/csv.ts'

const batch = 500

type Cells = Record<keyof typeof serviceFields, string | string[] | boolean | number>

/** The whole catalogue in batches, as the fields an import reads. */
async function* cellsOf(db: Db): AsyncGenerator<Cells[]> {
  let after = ''
  for (;;) {
    const rows = await selectRows(db, after)
    if (rows.length === 0) return
    yield rows.map(
      (row): Cells => ({
        serviceNo: row.service_no,
        name: row.name,
        nameEn: row.name_en,
        type: row.type_code,
        typeName: row.type_name,
        url: row.url,
        summary: row.summary,
        summaryEn: row.summary_en,
        organization: row.organization_code ?? '',
        audience: audienceText(row.rules as Rule[]),
        glyph: row.glyph,
        tone: row.tone,
        tags: row.tags,
        contact: row.contact,
        hours: row.hours,
        needsVpn: row.needs_vpn,
        recommended: row.recommended,
        notice: row.notice,
        noticeEn: row.notice_en,
        position: row.position,
        serviceType: row.kind,
        marks: row.marks,
        terminals: row.terminals,
        forceRecommended: row.force_recommended,
        validFrom: row.exact_from ?? '',
        validUntil: row.exact_until ?? '',
        serviceSource: row.source,
        techType: row.tech_type,
        opening: row.opening,
        miniProgram: row.mini_program ? JSON.stringify(row.mini_program) : '',
        tokenAccept: row.token_accept ? JSON.stringify(row.token_accept) : '',
        online: row.online,
      }),
    )
    after = rows.at(-1)?.service_no ?? after
  }
}

const selectRows = (db: Db, after: string) =>
  db
    .selectFrom('service')
    .innerJoin('service_type as type', 'type.id', 'service.type_id')
    .innerJoin('audience', 'audience.id', 'service.audience_id')
    .leftJoin('organization', 'organization.id', 'service.organization_id')
    .selectAll('service')
    .select([
      'type.code as type_code',
      'type.name as type_name',
      'audience.rules',
      'organization.code as organization_code',
      exact('service.valid_from').as('exact_from'),
      exact('service.valid_until').as('exact_until'),
    ])
    .where('service.service_no', '>', after)
    .orderBy('service.service_no')
    .limit(batch)
    .execute()
/** With microseconds, so that importing the file again changes nothing. */
const exact = (column: string) =>
  sql<
    string | null
  >`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

const names = Object.entries(serviceFields).map(([key, { headers }]) => [key, headers[0]] as const)

export async function* exportServicesCsv(db: Db): AsyncGenerator<string> {
  yield csvHead(serviceFields)
  for await (const rows of cellsOf(db))
    yield rows
      .map((cells) => csvLine(names.map(([key]) => cellText(cells[key as keyof Cells]))))
      .join('')
}
const cellText = (cell: Cells[keyof Cells]) =>
  Array.isArray(cell)
    ? cell.join(';')
    : typeof cell === 'boolean'
      ? cell
        ? 'yes'
        : 'no'
      : `${cell}`

export async function* exportServicesJson(db: Db): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const rows of cellsOf(db))
    for (const cells of rows) {
      yield separator +
        JSON.stringify(
          Object.fromEntries(names.map(([key, name]) => [name, cells[key as keyof Cells]])),
        )
      separator = ',\n'
    }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}
