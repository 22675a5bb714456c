import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { defineState } from '#platform/area-state.ts'
import type { Db } from '#platform/database/db.ts'
import { canSend } from '#platform/delivery/outbox.ts'
import type { Platform } from '#platform/platform.ts'
import { normalizeMobile } from './queries.ts'

/** Masked form of contacts and the number of people with it. Empty: no contact of that kind. */
type Shape = { prefix: string; digits: number; domain: string; people: number }
type ContactForms = { shapes: Shape[]; letters: { letter: string; people: number }[] }

/** Contacts shown for an unknown name or a person without any. `key` identifies them in limits. */
export type Decoy = { key: string; mobile: string; email: string }

/**
 * Plausible contacts for a name that has none, always the same for the same name. The form is drawn by weight from
 * those of real members (rendezvous hashing), so it stays stable when members change.
 */
export async function createDecoy(platform: Platform, input: string): Promise<Decoy> {
  const name = input.trim().toLowerCase()
  const key = platform.secret.sign('decoy', name)
  const mobileInput = normalizeMobile(input)
  const isMobileInput = /^(1\d{10}|\+\d{6,15})$/.test(mobileInput)
  const isEmailInput = name.includes('@')
  const { shapes, letters } = await contactFormsOf(platform)
  const candidates = shapes
    .map((shape) => ({
      ...shape,
      ...(!canSend(platform, 'mobile') && { prefix: '', digits: 0 }),
      ...(!canSend(platform, 'email') && { domain: '' }),
    }))
    // A typed number or address implies a contact of that kind.
    .filter(({ digits, domain }) =>
      isMobileInput ? digits > 0 : isEmailInput ? domain !== '' : digits > 0 || domain !== '',
    )
  const shape = draw(
    key,
    candidates,
    ({ prefix, digits, domain }) => `${prefix} ${digits} ${domain}`,
  )
  const letter = draw(key, letters, ({ letter }) => letter)?.letter ?? 'a'
  const generated = shape?.digits
    ? shape.prefix +
      String(hashNumber(key, 'digits') % 10 ** 8)
        .padStart(8, '0')
        .slice(-shape.digits)
    : ''
  return {
    key,
    mobile: isMobileInput ? mobileInput : generated,
    email: isEmailInput ? name : shape?.domain ? `${letter}@${shape.domain}` : '',
  }
}

const hashNumber = (key: string, label: string) =>
  createHash('sha256').update(`${key} ${label}`).digest().readUInt32BE()

function draw<T extends { people: number }>(
  key: string,
  candidates: readonly T[],
  nameOf: (candidate: T) => string,
): T | undefined {
  const weighted = candidates.map((candidate) => {
    const chance = (hashNumber(key, nameOf(candidate)) + 1) / (2 ** 32 + 1)
    return { candidate, wait: -Math.log(chance) / candidate.people }
  })
  return weighted.sort((candidate, next) => candidate.wait - next.wait)[0]?.candidate
}

const cacheMinutes = 60
const cacheOf = defineState<{ forms?: Promise<ContactForms>; until: number }>(() => ({ until: 0 }))

/** Cached for an hour, because it scans all persons. */
function contactFormsOf(platform: Platform): Promise<ContactForms> {
  const cache = cacheOf(platform)
  if (cache.forms && cache.until > Date.now()) return cache.forms
  const forms = readContactForms(platform.db)
  Object.assign(cache, { forms, until: Date.now() + cacheMinutes * 60_000 })
  forms.catch(() => {
    cache.until = 0
  })
  return forms
}

/** The most common contact forms; rare ones could identify people. */
async function readContactForms(db: Db): Promise<ContactForms> {
  const { rows } = await sql<Shape>`
    with plain as (
      select regexp_replace(regexp_replace(mobile, '[\\s()-]', '', 'g'), '^(\\+|00)86(?=1\\d{10}$)', '') as mobile,
             split_part(lower(email), '@', 2) as domain
      from person where mobile <> '' or email <> '')
    select left(mobile, greatest(length(mobile) - 8, 0)) as prefix, least(length(mobile), 8) as digits, domain,
           count(*)::integer as people
    from plain group by 1, 2, 3 order by people desc, 1, 2, 3 limit 100`.execute(db)
  const { rows: letters } = await sql<ContactForms['letters'][number]>`
    select left(lower(email), 1) as letter, count(*)::integer as people from person where email <> ''
    group by 1 order by people desc, 1 limit 36`.execute(db)
  return { shapes: rows.length > 0 ? rows : fallbackShapes, letters }
}

/** Used while nobody has a contact: prefixes of Chinese mobile networks. */
const fallbackShapes: Shape[] = [
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
