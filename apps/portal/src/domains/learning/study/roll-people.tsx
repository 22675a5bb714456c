import { attendanceStates } from '@atrium/contract/learning/study'
import { type Roll, type RollLine, studyTeaching } from '@atrium/contract/learning/study-teaching'
import { useInfiniteQuery } from '@tanstack/react-query'
import { formatTime } from '#lib/format.ts'
import { pages } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { useAction } from '#shell/page/action.ts'
import { ListEnd } from '#shell/page/list-end.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Facts } from '#ui/facts.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { useFirstOrder } from '#ui/first-order.ts'
import { Select } from '#ui/form/select.tsx'
import { nameOf } from './labels.ts'

const every = 5000
/** The most that is served at once: with each answer, others move on to the next page. */
const pageSize = 200
const words = {
  present: m.study_state_present,
  late: m.study_state_late,
  absent: m.study_state_absent,
  excused: m.study_state_excused,
} as const

/** The people on a roll, in the order they first had; a teacher may set each by hand. */
export function RollPeople({ roll }: { roll: Roll }) {
  const people = useInfiniteQuery({
    ...pages(studyTeaching.rollPeople, { params: { id: roll.id }, query: { pageSize } }),
    refetchInterval: roll.endedAt ? false : every,
  })
  const lines = useFirstOrder(
    people.data?.pages.flatMap(({ list }) => list) ?? [],
    ({ accountId }) => accountId,
  )
  return (
    <QueryView
      query={people}
      skeleton={<Skeleton rows={6} height={56} label={m.shell_loading()} />}
    >
      {() => (
        <>
          <ul className="row-list" aria-label={m.study_roll_people()}>
            {lines.map((one) => (
              <AttendeeRow key={one.accountId} roll={roll.id} attendee={one} />
            ))}
          </ul>
          <ListEnd query={people} />
        </>
      )}
    </QueryView>
  )
}

function AttendeeRow({ roll, attendee }: { roll: string; attendee: RollLine }) {
  const { timeZone } = useSystem()
  const { mutate } = useAction(studyTeaching.setAttended, {
    invalidates: [studyTeaching.roll, studyTeaching.rollPeople, studyTeaching.attendants],
  })
  const name = nameOf(attendee)
  return (
    <li className="study-line">
      <span className="study-two study-grow">
        <span>{name}</span>
        <span className="muted num">
          <Facts
            of={[
              attendee.username,
              attendee.at && !attendee.byTeacher ? formatTime(attendee.at, timeZone) : '',
            ]}
          />
        </span>
      </span>
      <Select
        small
        aria-label={m.study_state_of({ name })}
        value={attendee.state ?? ''}
        onValue={(state) =>
          mutate({
            params: { id: roll, accountId: attendee.accountId },
            body: { state: state as (typeof attendanceStates)[number] },
          })
        }
      >
        {attendee.state === null ? <option value="">{m.study_state_none()}</option> : null}
        {attendanceStates.map((state) => (
          <option key={state} value={state}>
            {words[state]()}
          </option>
        ))}
      </Select>
    </li>
  )
}
