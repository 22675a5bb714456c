import { type RawBuilder, sql } from 'kysely'
import type { Standing } from '#platform/audience.ts'
import { visibleTo } from '#platform/audience.ts'

/** The condition that a row of `service` is there for this viewer now: online, valid, and theirs. Every read asks it. */
export const usableBy = (viewer: Pick<Standing, 'audiences'>): RawBuilder<boolean> =>
  sql<boolean>`(service.online and service.online_at <= now()
    and (service.valid_from is null or service.valid_from <= now())
    and (service.valid_until is null or service.valid_until > now())
    and ${visibleTo(viewer, 'service.audience_id')})`

/** The terminal codes somebody means by a code or by the label in `X-Terminal-Info`; nothing where it is neither. */
export function terminalsOf(platformType: string | undefined): string[] | undefined {
  if (platformType && /^[12346]$/.test(platformType)) return [platformType]
  return platformType && Object.hasOwn(labels, platformType)
    ? labels[platformType as keyof typeof labels]
    : undefined
}
const labels = { app: ['2'], wechat: ['3'], h5: ['1', '4', '6'] }

/** The condition that a service can be used on one of these terminals. */
export const onTerminals = (terminals: readonly string[]): RawBuilder<boolean> =>
  sql<boolean>`(service.terminals = '{}' or service.terminals && ${terminals as string[]}::text[])`
