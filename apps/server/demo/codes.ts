import { dayOf } from './dates.ts'

const seats = { floors: 4, each: 120 }
const rooms = ['A301', 'B205']

/** Search for a service, as the next step after scanning a code. */
const toService = (name: string) =>
  `/pages/service/search?${new URLSearchParams({ keyWords: name })}`

/**
 * The demo system's answer for a code on a library seat or a room door.
 * @returns undefined for an unknown code
 */
export function describeCode(code: string): object | undefined {
  const [, floor = '', number = ''] = /^JL-SEAT-(\d)F-(\d{3})$/.exec(code) ?? []
  if (Number(floor) >= 1 && Number(floor) <= seats.floors && inRange(number, seats.each))
    return {
      title: `图书馆 ${floor} 层 ${number} 座`,
      titleEn: `Library, floor ${floor}, seat ${number}`,
      note: '可以预约今天和明天的自习座位。',
      url: toService('座位预约'),
      facts: [
        { label: '开放时间', value: '08:00–22:00' },
        { label: '日期', value: dayOf(new Date()) },
      ],
    }
  const room = rooms.find((one) => code === `JL-ROOM-${one}`)
  if (room)
    return {
      title: `研讨间 ${room}`,
      titleEn: `Seminar room ${room}`,
      note: '可以预约未来三天的时段。',
      url: toService('研讨间'),
      facts: [{ label: '时段', value: '09:00–11:00，14:00–16:00' }],
    }
  return undefined
}

const inRange = (number: string, max: number) => Number(number) >= 1 && Number(number) <= max
