import { sql } from 'kysely'
import { accountsOf, type PersonalData } from '#platform/personal-data.ts'

export const favouritesPersonalData: PersonalData = {
  service_favourite: {
    column: 'account_id',
    title: { zh: '收藏的服务', en: 'Favourite services' },
    rows: (owner) => sql`
      select jsonb_build_object('service', s.name, 'created_at', f.created_at) as row
      from service_favourite f join service s on s.id = f.service_id
      where f.account_id = ${accountsOf(owner)} order by f.position`,
    closing: 'delete',
  },
  article_favourite: {
    column: 'account_id',
    title: { zh: '收藏的资讯', en: 'Favourite articles' },
    rows: (owner) => sql`
      select jsonb_build_object('title', a.title, 'created_at', f.created_at) as row
      from article_favourite f join article a on a.id = f.article_id
      where f.account_id = ${accountsOf(owner)} order by f.position`,
    closing: 'delete',
  },
  file_favourite: {
    column: 'account_id',
    title: { zh: '收藏的文件', en: 'Favourite files' },
    hide: ['id', 'account_id', 'position'],
    closing: 'delete',
  },
  article_visit: {
    column: 'account_id',
    title: { zh: '浏览历史', en: 'Articles read' },
    rows: (owner) => sql`
      select jsonb_build_object('title', a.title, 'visited_at', v.visited_at) as row
      from article_visit v join article a on a.id = v.article_id
      where v.account_id = ${accountsOf(owner)} order by v.visited_at desc`,
    closing: 'delete',
  },
}
