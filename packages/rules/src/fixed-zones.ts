/**
 * Zones whose clocks have stood at one offset since 1992, in minutes east of Greenwich. What they show is a sum. The first
 * formatter of a page takes a phone a hundred milliseconds and more, and many first screens need no other.
 */
const offsets = new Map([
  ['UTC', 0],
  ['Asia/Shanghai', 480],
  ['Asia/Urumqi', 360],
  ['Asia/Hong_Kong', 480],
  ['Asia/Macau', 480],
  ['Asia/Taipei', 480],
  ['Asia/Singapore', 480],
  ['Asia/Tokyo', 540],
])
const since = Date.UTC(1992, 0, 1)

/** What the clocks of a zone show at a moment, as if it were UTC; undefined where only `Intl` knows. */
export function readFixedClock(zone: string, moment: Date | number): Date | undefined {
  const offset = offsets.get(zone)
  const at = Number(moment)
  return offset === undefined || !(at >= since) ? undefined : new Date(at + offset * 60_000)
}
