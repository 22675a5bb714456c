import type { Language } from '@atrium/contract/error-texts'
import type { Db } from '#platform/db.ts'
import { listOffered } from './queries.ts'
import { beginPath } from './rules.ts'

/** The outside logins that work in any browser, for the page of our central login, which they come back to. */
export async function outsideLinks(
  db: Db,
  { language, service }: { language: Language; service: string | undefined },
) {
  const onwards = service ? `/cas/login?${new URLSearchParams({ service })}` : '/cas/login'
  return (await listOffered(db))
    .filter(({ kind }) => kind === 'cas' || kind === 'openid')
    .map(({ code, name, nameEn }) => ({
      name: (language === 'en' && nameEn) || name,
      href: `${beginPath(code)}?${new URLSearchParams({ onwards })}`,
    }))
}
