import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { canSend } from '#platform/delivery/outbox.ts'
import { definePart } from '#platform/part.ts'
import type { Platform } from '#platform/platform.ts'
import { plainMobile } from './queries.ts'

/** Masked form of contacts and the number of people with it. Empty: no contact of that kind. */
type Shape = { prefix: string; digits: number; domain: string; people: number }
type Looks = { shapes: Shape[]; letters: { letter: string; people: number }[] }

/** Contacts shown for an unknown name or a person without any. `key` identifies them in limits. */
export type Decoy = { key: string; mobile: string; email: string }

/**
 * Plausible contacts for a name that has none, always the same for the same name. The form is drawn by weight from
 * those of real members (rendezvous hashing), so it stays stable when members change.
 */
export async function decoyOf(platform: Platform, who: string): Promise<Decoy> {
  const name = who.trim().toLowerCase()
  const key = platform.secret.sign('decoy', name)
  const typed = plainMobile(who)
  const typesMobile = /^(1\d{10}|\+\d{6,15})$/.test(typed)
  const typesEmail = name.includes('@')
  const { shapes, letters } = await looksOf(platform)
  const possible = shapes
    .map((shape) => ({
      ...shape,
      ...(!canSend(platform, 'mobile') && { prefix: '', digits: 0 }),
      ...(!canSend(platform, 'email') && { domain: '' }),
    }))
    // A typed number or address implies a contact of that kind.
    .filter(({ digits, domain }) =>
      typesMobile ? digits > 0 : typesEmail ? domain !== '' : digits > 0 || domain !== '',
    )
  const shape = draw(key, possible, ({ prefix, digits, domain }) => `${prefix} ${digits} ${domain}`)
  const letter = draw(key, letters, ({ letter }) => letter)?.letter ?? 'a'
  const made = shape?.digits
    ? shape.prefix +
      String(numberOf(key, 'digits') % 10 ** 8)
        .padStart(8, '0')
        .slice(-shape.digits)
    : ''
  return {
    key,
    mobile: typesMobile ? typed : made,
    email: typesEmail ? name : shape?.domain ? `${letter}@${shape.domain}` : '',
  }
}

const numberOf = (key: string, what: string) =>
  createHash('sha256').update(`${key} ${what}`).digest().readUInt32BE()

function draw<T extends { people: number }>(
  key: string,
  of: readonly T[],
  nameOf: (one: T) => string,
): T | undefined {
  const waits = of.map((one) => {
    const chance = (numberOf(key, nameOf(one)) + 1) / (2 ** 32 + 1)
    return { one, wait: -Math.log(chance) / one.people }
  })
  return waits.sort((one, other) => one.wait - other.wait)[0]?.one
}

const keptMinutes = 60
const keptOf = definePart<{ looks?: Promise<Looks>; until: number }>(() => ({ until: 0 }))

/** Cached for an hour, because it scans all persons. */
function looksOf(platform: Platform): Promise<Looks> {
  const kept = keptOf(platform)
  if (kept.looks && kept.until > Date.now()) return kept.looks
  const looks = readLooks(platform.db)
  Object.assign(kept, { looks, until: Date.now() + keptMinutes * 60_000 })
  looks.catch(() => {
    kept.until = 0
  })
  return looks
}

/** The most common contact forms; rare ones could identify people. */
async function readLooks(db: Db): Promise<Looks> {
  const { rows } = await sql<Shape>`
    with plain as (
      select regexp_replace(regexp_replace(mobile, '[\\s()-]', '', 'g'), '^(\\+|00)86(?=1\\d{10}$)', '') as mobile,
             split_part(lower(email), '@', 2) as domain
      from person where mobile <> '' or email <> '')
    select left(mobile, greatest(length(mobile) - 8, 0)) as prefix, least(length(mobile), 8) as digits, domain,
           count(*)::integer as people
    from plain group by 1, 2, 3 order by people desc, 1, 2, 3 limit 100`.execute(db)
  const { rows: letters } = await sql<Looks['letters'][number]>`
    select left(lower(email), 1) as letter, count(*)::integer as people from person where email <> ''
    group by 1 order by people desc, 1 limit 36`.execute(db)
  return { shapes: rows.length > 0 ? rows : ofNobody, letters }
}

/** Used while nobody has a contact: prefixes of Chinese mobile networks. */
const ofNobody: Shape[] = [
  '130',
  '136',
  '138',
  '150',
  '158',
  '176',
  '180',
  '186',
  '189',
  '199',
].map((prefix) => ({ prefix, digits: 8, domain: '', people: 1 }))
