import type { Occurrence } from '@atrium/contract/work/schedule'
import type { Day } from './days.ts'

/** The position of an event on a day: minutes from midnight, and its lane beside simultaneous events. */
export type Block = { event: Occurrence; start: number; end: number; lane: number; lanes: number }

const wholeDay = 24 * 60
/** Minimum height in minutes, as a touch target for short events. */
const shortest = 40

/** The timed events of a day, simultaneous ones side by side. */
export function blocksOf(
  events: readonly Occurrence[],
  day: Day,
  minutesOf: (moment: string) => number,
): Block[] {
  const blocks = events
    .filter((event) => !event.allDay)
    .map((event) => {
      const start = event.firstDay < day ? 0 : minutesOf(event.startsAt)
      const end = event.lastDay > day ? wholeDay : minutesOf(event.endsAt) || wholeDay
      const first = Math.min(start, wholeDay - shortest)
      return { event, start: first, end: Math.max(end, first + shortest), lane: 0, lanes: 1 }
    })
    .sort((a, b) => a.start - b.start || b.end - a.end)
  let group: Block[] = []
  let groupEnd = 0
  for (const block of blocks) {
    if (block.start >= groupEnd) {
      group = []
      groupEnd = 0
    }
    const busy = new Set(group.filter((other) => other.end > block.start).map(({ lane }) => lane))
    while (busy.has(block.lane)) block.lane++
    group.push(block)
    groupEnd = Math.max(groupEnd, block.end)
    const lanes = Math.max(...group.map(({ lane }) => lane)) + 1
    for (const member of group) member.lanes = lanes
  }
  return blocks
}

/** The hours shown in a table: the working day, extended by events outside it. */
export function hoursOf(blocks: readonly Block[]) {
  const from = Math.min(8, ...blocks.map(({ start }) => Math.floor(start / 60)))
  const to = Math.max(19, ...blocks.map(({ end }) => Math.ceil(end / 60)))
  return { from, to }
}
