import { sql } from 'kysely'
import { accountsOf, type PersonalData } from '#platform/personal-data.ts'

export const addressBookPersonalData: PersonalData = {
  address_book_post: {
    column: 'account_id',
    title: { zh: '通讯录中的职务', en: 'Your post in the address book' },
    hide: ['account_id', 'position'],
    closing: 'delete',
  },
  address_book_favourite: {
    column: 'account_id',
    also: ['favourite_account_id'],
    title: { zh: '收藏的联系人', en: 'Favourite contacts' },
    rows: (owner) => sql`
      select jsonb_build_object('name', p.name, 'created_at', f.created_at) as row
      from address_book_favourite f join account a on a.id = f.favourite_account_id
      join person p on p.id = a.person_id
      where f.account_id = ${accountsOf(owner)} order by f.created_at`,
    closing: 'delete',
  },
  address_book_group: {
    column: 'account_id',
    title: { zh: '我的联系人分组', en: 'My contact groups' },
    rows: (owner) => sql`
      select jsonb_build_object('name', g.name, 'created_at', g.created_at, 'people',
        (select jsonb_agg(p.name order by p.name) from address_book_group_member part
          join account a on a.id = part.member_account_id join person p on p.id = a.person_id
          where part.group_id = g.id)) as row
      from address_book_group g where g.account_id = ${accountsOf(owner)} order by g.id`,
    closing: 'delete',
  },
  address_book_group_member: {
    column: 'member_account_id',
    untold: 'a group of somebody else',
    closing: 'delete',
  },
  address_book_use: {
    column: 'account_id',
    untold: 'a counter of today',
    closing: 'delete',
  },
}
