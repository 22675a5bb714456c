import { sql } from 'kysely'
import SCIMMY from 'scimmy'
import type { Filterable } from './filter.ts'
import { enterprise } from './pushed-user.ts'

const { User } = SCIMMY.Schemas

const attributes: Filterable['attributes'] = {
  'meta.resourcetype': { kind: 'text', column: sql`'User'` },
  id: { kind: 'text', column: sql`account.id::text`, exact: true },
  username: { kind: 'text', column: sql`account.username` },
  externalid: { kind: 'text', column: sql`scim_user.external_id`, exact: true },
  displayname: { kind: 'text', column: sql`person.name` },
  active: { kind: 'flag', column: sql`(account.status <> 'disabled')` },
  usertype: { kind: 'text', column: sql`scim_user.resource ->> 'userType'` },
  'name.familyname': { kind: 'text', column: sql`scim_user.resource #>> '{name,familyName}'` },
  'name.givenname': { kind: 'text', column: sql`scim_user.resource #>> '{name,givenName}'` },
  emails: { kind: 'text', column: sql`person.email` },
  'emails.value': { kind: 'text', column: sql`person.email` },
  [`${enterprise}:department`.toLowerCase()]: {
    kind: 'text',
    column: sql`scim_user.resource -> ${enterprise}::text ->> 'department'`,
  },
  'meta.created': { kind: 'time', column: sql`scim_user.created_at` },
  'meta.lastmodified': { kind: 'time', column: sql`scim_user.updated_at` },
}

/** Value paths use the contacts as pushed, including their types. */
export const userFilter: Filterable = {
  schema: User.id,
  attributes,
  lists: {
    emails: sql`(scim_user.resource -> 'emails')`,
    phonenumbers: sql`(scim_user.resource -> 'phoneNumbers')`,
  },
}
