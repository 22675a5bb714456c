import type { CoursePerson } from '@atrium/contract/learning/study'
import { sql } from 'kysely'
import { visibleFields } from '#domains/member/privacy/settings.ts'
import type { Member } from '#platform/http/guard.ts'
import { cursorPage, cursorShapes, pageSizeOf, readCursor } from '#platform/http/paging.ts'
import { picturesOf } from '#platform/images/pictures.ts'
import type { Platform } from '#platform/platform.ts'

type Row = {
  id: string
  role: CoursePerson['role']
  name: string
  nameEn: string
  organization: string
  organizationEn: string
  mobile: string | null
  email: string | null
  portraitId: string | null
  portraitPublic: boolean | null
  portraitType: string | null
}

/** A page of a course's people, teachers first, with the details each shows to the caller. */
export async function listPeople(
  platform: Platform,
  viewer: Member,
  calendarId: string,
  query: { cursor?: string; pageSize?: number },
) {
  const pageSize = pageSizeOf(query)
  const after = readCursor(query.cursor, [/^(attends|teaches)$/, cursorShapes.id])
  const { rows } = await sql<Row>`
    select account.id, member.role, person.name, person.name_en as "nameEn", organization.name as organization,
      organization.name_en as "organizationEn", person.mobile, person.email, portrait.id as "portraitId",
      portrait.is_public as "portraitPublic", portrait.media_type as "portraitType"
    from calendar_member member
    join account on account.id = member.account_id and account.status <> 'disabled'
    join person on person.id = account.person_id
    join organization on organization.id = account.organization_id
    left join file portrait on portrait.id = person.portrait_file_id
    where member.calendar_id = ${calendarId}
      ${after ? sql`and (member.role < ${after[0]} or (member.role = ${after[0]} and account.id > ${after[1]}::bigint))` : sql``}
    order by member.role desc, account.id limit ${pageSize + 1}`.execute(platform.db)
  const visible = await visibleFields(
    platform,
    viewer,
    rows.map(({ id }) => id),
  )
  const pictures = await picturesOf(platform)
  return cursorPage(
    rows,
    pageSize,
    (row) => [row.role, row.id],
    ({ mobile, email, portraitId, portraitPublic, portraitType, ...row }): CoursePerson => {
      const fields = visible.get(row.id)
      return {
        ...row,
        portraitUrl: fields?.portrait
          ? pictures.address('icon', {
              id: portraitId,
              is_public: portraitPublic,
              media_type: portraitType,
            })
          : '',
        mobile: (fields?.mobile && mobile) || '',
        email: (fields?.email && email) || '',
      }
    },
  )
}
