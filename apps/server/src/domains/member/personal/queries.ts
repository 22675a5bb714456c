import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'

export const getProfile = (db: Db, accountId: string) =>
  db
    .selectFrom('account')
    .innerJoin('person', 'person.id', 'account.person_id')
    .innerJoin('identity_type', 'identity_type.code', 'account.identity_type_code')
    .innerJoin('organization', 'organization.id', 'account.organization_id')
    .leftJoin('file as portrait', 'portrait.id', 'person.portrait_file_id')
    .select([
      'account.id',
      'account.username',
      'person.name',
      'person.name_en',
      'person.external_key',
      'person.mobile',
      'person.email',
      'identity_type.code as identity_code',
      'identity_type.name as identity_name',
      'identity_type.name_en as identity_name_en',
      'identity_type.label',
      'organization.id as organization_id',
      'organization.code as organization_code',
      'organization.name as organization_name',
      'organization.name_en as organization_name_en',
      'portrait.id as portrait_id',
      'portrait.is_public as portrait_public',
      'portrait.media_type as portrait_type',
      // A directory or SCIM client would overwrite any change made here.
      sql<boolean>`exists (select from directory_entry entry where entry.account_id = account.id)
        or exists (select from scim_user where scim_user.account_id = account.id)`.as(
        'isExternallyManaged',
      ),
    ])
    .where('account.id', '=', accountId)
    .executeTakeFirstOrThrow()

export const updateNameEn = (db: Db, personId: string, nameEn: string) =>
  db.updateTable('person').set({ name_en: nameEn }).where('id', '=', personId).execute()
