/** The calendar day of a moment in a zone, `YYYY-MM-DD`: days can be compared as texts. */
export const dayIn = (at: number, zone: string) => clockIn(at, zone).slice(0, 10)

const wallClock = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,3})\d*)?)?)?$/
const withOffset = /^(.+?)\s*(Z|[+-]\d{2}:?\d{2})$/i

/**
 * The moment a text means, in milliseconds, or NaN. With an offset (`…Z`, `…+08:00`) it says so itself; without one it is
 * what the clocks of the zone show. A day alone is its beginning.
 */
export function momentOf(text: string, zone: string): number {
  const [, written, offset] = withOffset.exec(text) ?? []
  const local = readWallClock(written ?? text)
  if (written !== undefined && offset !== undefined) return local - offsetOf(offset)
  if (Number.isNaN(local)) return local
  // The zone's offset at about that moment, then at the moment this leads to: near a change of the clocks they differ.
  const near = local - zoneOffset(local, zone)
  return local - zoneOffset(near, zone)
}

/** The clock's reading as if it were UTC. Built by hand: old Safari reads only the one form with a T. */
function readWallClock(text: string) {
  const [, day, time = '00:00', second = '00', fraction = '0'] = wallClock.exec(text) ?? []
  const at = Date.parse(`${day}T${time}:${second}.${fraction.padEnd(3, '0')}Z`)
  // Some engines read 30 February as 2 March.
  return Number.isNaN(at) || new Date(at).toISOString().startsWith(day as string) ? at : Number.NaN
}

function offsetOf(text: string) {
  if (/^z$/i.test(text)) return 0
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(-2))
  return (text.startsWith('-') ? -minutes : minutes) * 60_000
}

const zoneOffset = (at: number, zone: string) =>
  Date.parse(`${clockIn(at, zone)}Z`) - Math.floor(at / 1000) * 1000

/** What a clock in the zone shows: `YYYY-MM-DDTHH:MM:SS`. */
function clockIn(at: number, zone: string) {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(at)
  const part = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}`
}
