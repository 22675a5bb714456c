import { sql } from 'kysely'
import { accountsOf, type PersonalData } from '#platform/personal-data.ts'

export const directoryPersonalData: PersonalData = {
  directory_entry: {
    column: 'account_id',
    title: { zh: '来自的目录', en: 'Directory of origin' },
    rows: (owner) => sql`
      select jsonb_build_object('directory', d.settings ->> 'name', 'entry', e.external_key) as row
      from directory_entry e join directory d on d.id = e.directory_id where e.account_id = ${accountsOf(owner)}`,
    closing: 'delete',
  },
}
