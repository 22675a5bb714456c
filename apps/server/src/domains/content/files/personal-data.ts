import { sql } from 'kysely'
import { accountsOf, type PersonalData } from '#platform/personal-data.ts'

export const filesPersonalData: PersonalData = {
  file_owner: {
    column: 'account_id',
    title: { zh: '上传的文件', en: 'Uploaded files' },
    rows: (owner) => sql`
      select jsonb_build_object('name', f.name, 'media_type', f.media_type, 'bytes', f.byte_size, 'uploaded_at', f.created_at) as row
      from file_owner o join file f on f.id = o.file_id where o.account_id = ${accountsOf(owner)} order by f.id`,
    // Files not referenced by the institution's data are deleted the following night.
    closing: {
      anonymise: (owner) => sql`
        with deleted as (delete from file_owner where account_id = ${accountsOf(owner)} returning file_id)
        update file set name = '', used_at = to_timestamp(0) where id in (select file_id from deleted)`,
    },
  },
}
