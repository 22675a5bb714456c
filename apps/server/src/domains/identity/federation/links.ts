import type { Language } from '@atrium/contract/error-texts'
import type { Db } from '#platform/database/db.ts'
import { listOffered } from './queries.ts'
import { beginPath } from './rules.ts'

/**
 * External logins that work in any browser, for our central login page.
 * @param onwards address at the central login to return to
 */
export async function externalLoginLinks(
  db: Db,
  { language, onwards }: { language: Language; onwards: string },
) {
  return (await listOffered(db))
    .filter(({ kind }) => kind === 'cas' || kind === 'openid')
    .map(({ code, name, nameEn }) => ({
      name: (language === 'en' && nameEn) || name,
      href: `${beginPath(code)}?${new URLSearchParams({ onwards })}`,
    }))
}
