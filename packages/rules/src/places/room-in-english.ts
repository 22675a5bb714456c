import { beginsWith } from './find-place-of-room.ts'

type Named = { name: string; nameEn: string; shortName: string }

/**
 * The English name of a room in a place: 信息楼 B402 becomes Information Building, B402. Empty if no place with an
 * English name begins it, or if the rest is Chinese too.
 */
export function roomInEnglish(location: string, places: readonly Named[]): string {
  const [found] = places
    .flatMap(({ name, nameEn, shortName }) =>
      [name, shortName].map((prefix) => ({ prefix, nameEn })),
    )
    .filter(({ prefix, nameEn }) => nameEn !== '' && beginsWith(location, prefix))
    .sort((a, b) => b.prefix.length - a.prefix.length)
  if (!found) return ''
  const rest = location.slice(found.prefix.length).trim()
  if (/\p{Script=Han}/u.test(rest)) return ''
  return rest ? `${found.nameEn}, ${rest}` : found.nameEn
}
