const wallClock = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,3})\d*)?)?)?$/
const withOffset = /^(.+?)\s*(Z|[+-]\d{2}:?\d{2})$/i

/**
 * Parses a time to milliseconds, or NaN. A text with an offset (`…Z`, `…+08:00`) is absolute; without one it is local
 * time in the zone. A day alone means its beginning.
 */
export function parseZonedTime(text: string, zone: string): number {
  const [, localText, offset] = withOffset.exec(text) ?? []
  const local = readWallClock(localText ?? text)
  if (localText !== undefined && offset !== undefined) return local - offsetOf(offset)
  if (Number.isNaN(local)) return local
  // The zone's offset at about that moment, then at the resulting moment: near a clock change they differ.
  const approximate = local - zoneOffset(local, zone)
  return local - zoneOffset(approximate, zone)
}

/** Local time as if it were UTC. Matched by our own pattern: old Safari parses only the form with a T. */
function readWallClock(text: string) {
  const [, day, time = '00:00', second = '00', fraction = '0'] = wallClock.exec(text) ?? []
  const ms = Date.parse(`${day}T${time}:${second}.${fraction.padEnd(3, '0')}Z`)
  // Some engines read 30 February as 2 March.
  return Number.isNaN(ms) || new Date(ms).toISOString().startsWith(day as string) ? ms : Number.NaN
}

function offsetOf(text: string) {
  if (/^z$/i.test(text)) return 0
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(-2))
  return (text.startsWith('-') ? -minutes : minutes) * 60_000
}

const zoneOffset = (ms: number, zone: string) =>
  Date.parse(`${clockIn(ms, zone)}Z`) - Math.floor(ms / 1000) * 1000

/** Local time in the zone: `YYYY-MM-DDTHH:MM:SS`. */
function clockIn(ms: number, zone: string) {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(ms)
  const part = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}`
}
