import './time-table.css'
import type { Occurrence } from '@atrium/contract/work/schedule'
import { parseZonedTime } from '@atrium/rules/parse-zoned-time'
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { offsetOf, zoneName } from '#domains/work/time-zone/zones.ts'
import { changeName } from '#domains/work/timetables/change-labels.ts'
import type { WeekPicture } from '#domains/work/week-picture/draw-week.ts'
import { formatTime } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { read, write } from '#lib/storage.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { Link } from '#shell/navigation/link.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { barsOf, type DayBar } from './day-bars.ts'
import { dayName } from './day-labels.ts'
import type { Day } from './days.ts'
import type { DayContent } from './events-by-day.ts'
import { type Block, blocksOf, hoursOf } from './time-blocks.ts'
import { type Drag, useDrag } from './use-drag.ts'
import { useMoveEvent } from './use-move-event.ts'
import { WeekTools } from './week-tools.tsx'

type TimeTableProps = {
  days: readonly Day[]
  today: Day
  contentOf: (day: Day) => DayContent
  zone: string
  now: Date
  title: string
}

/** Days side by side with a vertical time axis. All-day events are above; editable ones can be dragged. */
export function TimeTable({ days, today, contentOf, zone, now, title }: TimeTableProps) {
  const { timeZone: institution } = useSystem()
  const [oneZone, setOneZone] = useState(() => read('oneZone') ?? false)
  const referenceDay = days.includes(today) ? today : (days[0] ?? today)
  const noon = new Date(parseZonedTime(`${referenceDay}T12:00`, zone))
  const differs = offsetOf(zone, noon) !== offsetOf(institution, noon)
  const zones = differs && !oneZone ? [zone, institution] : [zone]
  function toggle() {
    write('oneZone', !oneZone)
    setOneZone(!oneZone)
  }
  const columns = days.map((day) => ({
    day,
    blocks: blocksOf(contentOf(day).events, day, (moment) => minutesOf(moment, zone)),
  }))
  const bars = barsOf(days, (day) => contentOf(day).events.filter(({ allDay }) => allDay))
  const { from, to } = hoursOf(columns.flatMap((column) => column.blocks))
  const hours = Array.from({ length: to - from }, (_, index) => from + index)
  const labels = hourLabels(referenceDay, hours, zones)
  const createPicture = () =>
    weekPicture({ title, columns, bars, from, to, labels, zones, zone, noon })
  const moving = useRef(() => {})
  const move = useMoveEvent(() => moving.current())
  const { drag, table, handlersFor, clear } = useDrag((key, shift, minutes) => {
    const found = columns.flatMap(({ day, blocks }, at) =>
      blocks.map(({ event }) => ({ event, day, at })),
    )
    const block = found.find(({ event, day }) => keyOf(event, day) === key)
    // Dropped outside the visible days.
    const to = (block?.at ?? 0) + shift
    if (!block || to < 0 || to >= days.length) return clear()
    void move(block.event, shift * 1440 + minutes)
  })
  moving.current = clear
  // Keep the dropped position until the server's answer arrives.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answer is what is waited for
  useEffect(clear, [contentOf])
  const nowAt = (minutesOf(now.toISOString(), zone) / 60 - from) / (to - from)
  return (
    <div
      className={[
        'time-table',
        days.length === 1 && 'time-table-day',
        zones.length > 1 && 'time-table-two-zones',
      ]
        .filter(Boolean)
        .join(' ')}
      style={{ '--hours': to - from } as CSSProperties}
    >
      {/* When printing, the strip of days above is hidden. */}
      <div className="time-table-paper" aria-hidden="true">
        <b>{title}</b>
        <div style={{ gridTemplateColumns: `var(--axis) repeat(${days.length}, minmax(0, 1fr))` }}>
          <span />
          {days.map((day) => (
            <span key={day}>{dayName(day)}</span>
          ))}
        </div>
      </div>
      {zones.length > 1 ? (
        <p className="time-table-zones num">
          {zones.map((one) => (
            <abbr key={one} title={zoneName(one, noon)} aria-label={zoneName(one, noon)}>
              {offsetOf(one, noon)}
            </abbr>
          ))}
        </p>
      ) : null}
      {bars.length > 0 ? <WholeDays days={days} bars={bars} /> : null}
      <div
        ref={table}
        className="time-table-hours"
        style={{ height: `calc(var(--hour) * ${to - from})` }}
      >
        <div className="time-table-axis num" aria-hidden="true">
          {labels.map((row) => (
            <span key={row[0]}>
              {row.map((label, index) => (
                <span key={zones[index]}>{label}</span>
              ))}
            </span>
          ))}
        </div>
        {columns.map(({ day, blocks }) => (
          <ul
            key={day}
            className={day === today ? 'time-table-column time-table-today' : 'time-table-column'}
            aria-label={dayName(day)}
          >
            {blocks.map((block) => (
              <li
                key={block.event.id + block.event.startsAt}
                className={
                  drag?.key === keyOf(block.event, day)
                    ? 'time-table-place time-table-dragged'
                    : 'time-table-place'
                }
                style={{
                  ...positionOf(block, from, to),
                  ...(drag?.key === keyOf(block.event, day) && shiftOf(drag)),
                }}
                {...(isMovable(block.event) && handlersFor(keyOf(block.event, day), to - from))}
              >
                <EventLink
                  event={block.event}
                  className="time-table-event"
                  lines={[
                    `${formatTime(block.event.startsAt, zone)}–${formatTime(block.event.endsAt, zone)}`,
                    inLanguage(block.event.location, block.event.locationEn),
                    days.length === 1 ? block.event.person : '',
                  ]}
                />
              </li>
            ))}
            {day === today && nowAt >= 0 && nowAt <= 1 ? (
              <li className="time-table-now" style={{ top: `${nowAt * 100}%` }}>
                <span className="unseen">{m.schedule_now({ time: formatTime(now, zone) })}</span>
              </li>
            ) : null}
          </ul>
        ))}
      </div>
      <WeekTools
        zones={differs ? { shown: !oneZone, toggle } : undefined}
        name={`${days[0]}.png`}
        draw={createPicture}
      />
    </div>
  )
}

/** All-day events, one bar each. */
function WholeDays({ days, bars }: { days: readonly Day[]; bars: readonly DayBar[] }) {
  return (
    <div className="time-table-whole">
      <span className="time-table-axis-word">{m.schedule_all_day()}</span>
      <ul
        aria-label={m.schedule_all_day()}
        style={{ gridTemplateColumns: `repeat(${days.length}, minmax(0, 1fr))` }}
      >
        {bars.map(({ event, from, count, line, before, after }) => (
          <li
            key={`${event.id} ${event.startsAt}`}
            className={[before && 'time-table-before', after && 'time-table-after']
              .filter(Boolean)
              .join(' ')}
            style={{ gridColumn: `${from + 1} / span ${count}`, gridRow: line + 1 }}
          >
            <EventLink
              event={event}
              className="time-table-event time-table-bar"
              lines={[]}
              extraLabel={
                event.firstDay === event.lastDay
                  ? dayName(event.firstDay)
                  : m.schedule_from_until({
                      from: dayName(event.firstDay),
                      until: dayName(event.lastDay),
                    })
              }
            />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The same content as data for the picture. */
function weekPicture({
  columns,
  bars,
  zones,
  zone,
  noon,
  labels,
  from,
  to,
  title,
}: {
  title: string
  columns: readonly { day: Day; blocks: readonly Block[] }[]
  bars: readonly DayBar[]
  from: number
  to: number
  labels: readonly string[][]
  zones: readonly string[]
  zone: string
  noon: Date
}): WeekPicture {
  const nameOf = ({ title, titleEn }: Occurrence) => inLanguage(title, titleEn)
  return {
    title,
    hours: { from, to, labels },
    zones: zones.map((one) => offsetOf(one, noon)),
    days: columns.map(({ day, blocks }) => ({
      name: dayName(day),
      blocks: blocks
        .filter(({ event }) => !event.struck)
        .map(({ event, ...place }) => ({
          ...place,
          title: nameOf(event),
          color: event.color,
          words: [
            `${formatTime(event.startsAt, zone)}–${formatTime(event.endsAt, zone)}`,
            inLanguage(event.location, event.locationEn),
          ].filter(Boolean),
        })),
    })),
    bars: bars.map(({ event, ...place }) => ({
      ...place,
      title: nameOf(event),
      color: event.color,
    })),
  }
}

const keyOf = ({ id, startsAt }: Occurrence, day: Day) => `${id} ${startsAt} ${day}`
/** An event across midnight has two blocks and cannot be dragged by one of them. */
const isMovable = ({ editable, firstDay, lastDay }: Occurrence) => editable && firstDay === lastDay
const shiftOf = ({ days, minutes }: Drag) => ({
  transform: `translate(${days * 100}%, calc(var(--hour) * ${minutes / 60}))`,
})

function EventLink({
  event,
  className,
  lines,
  extraLabel = '',
}: {
  event: Occurrence
  className: string
  lines: string[]
  /** Additional text for screen readers. */
  extraLabel?: string
}) {
  const { id, startsAt, title, titleEn, color, kind, struck, change } = event
  const changed = change ? changeName(change.kind) : ''
  const labelParts = [
    inLanguage(title, titleEn),
    changed,
    kind === 'course' ? m.schedule_course() : m.schedule_event(),
    extraLabel,
    ...lines,
  ]
  const shared = {
    className: `${className} event-${color} ${kind === 'course' ? 'time-table-course' : ''}`,
    'aria-label': labelParts.filter(Boolean).join(m.schedule_comma()),
  }
  const content = (
    <>
      <b>
        {struck ? (
          <s>
            <Bilingual zh={title} en={titleEn} />
          </s>
        ) : (
          <Bilingual zh={title} en={titleEn} />
        )}
      </b>
      {changed ? <span>{changed}</span> : null}
      {lines.filter(Boolean).map((word) => (
        <span key={word} className="num">
          {word}
        </span>
      ))}
    </>
  )
  if (struck && (!change?.at || id === '0'))
    return (
      <div role="img" {...shared}>
        {content}
      </div>
    )
  return (
    <Link
      to="/pages/shedul/shedulDetail"
      search={{ id, startsAt: (struck && change?.at) || startsAt }}
      {...shared}
    >
      {content}
    </Link>
  )
}

function positionOf({ start, end, lane, lanes }: Block, from: number, to: number) {
  const totalMinutes = (to - from) * 60
  return {
    top: `${((start - from * 60) / totalMinutes) * 100}%`,
    height: `${((end - start) / totalMinutes) * 100}%`,
    left: `${(lane / lanes) * 100}%`,
    width: `${100 / lanes}%`,
  }
}

/** Minutes since midnight in a zone. */
function minutesOf(moment: string, zone: string) {
  const [hours = 0, minutes = 0] = formatTime(moment, zone).split(':').map(Number)
  return hours * 60 + minutes
}

/** For each hour of a day in the first zone, the time in every zone. */
const hourLabels = (day: Day, hours: readonly number[], zones: readonly string[]) =>
  hours.map((hour) =>
    zones.map((zone, at) =>
      at === 0
        ? `${hour}:00`
        : formatTime(
            new Date(
              parseZonedTime(`${day}T${String(hour).padStart(2, '0')}:00`, zones[0] ?? zone),
            ).toISOString(),
            zone,
          ),
    ),
  )
