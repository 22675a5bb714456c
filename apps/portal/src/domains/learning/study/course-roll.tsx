import { type CourseDetail, study } from '@atrium/contract/learning/study'
import { type Attendant, type Roll, studyTeaching } from '@atrium/contract/learning/study-teaching'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDayAndTime, formatTime } from '#lib/format.ts'
import { pages, q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { hrefOf } from '#shell/navigation/navigation.ts'
import { useAction } from '#shell/page/action.ts'
import { ListEnd } from '#shell/page/list-end.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { QrCode } from '#ui/media/qr-code.tsx'
import { nameOf } from './labels.ts'
import { RollPeople } from './roll-people.tsx'

/** Poll interval of the teacher's screen, in ms. */
const every = 3000
const minutes = 15
const lateAfter = 10

/** The roll calls of a course, for its teachers. */
export function CourseRoll({ course }: { course: CourseDetail }) {
  const [ended, setEnded] = useState<string>()
  const open = course.attendance.openId
  const begin = useAction(studyTeaching.openRoll, {
    invalidates: [study.read, studyTeaching.rolls],
  })
  const displayedRoll = open ?? ended
  return (
    <>
      {displayedRoll ? (
        <OpenRoll
          key={displayedRoll}
          id={displayedRoll}
          course={course}
          onEnded={() => setEnded(displayedRoll)}
        />
      ) : null}
      {open ? null : (
        <Button
          wide
          busy={begin.isPending}
          onClick={() => begin.mutate({ params: { id: course.id }, body: { minutes, lateAfter } })}
        >
          {m.study_roll_begin({ minutes, late: lateAfter })}
        </Button>
      )}
      <PastRolls course={course.id} />
      <Attendants course={course.id} />
    </>
  )
}

type OpenRollProps = { id: string; course: CourseDetail; onEnded: () => void }

function OpenRoll({ id, course, onEnded }: OpenRollProps) {
  const roll = useQuery({
    ...q(studyTeaching.roll, { params: { id } }),
    refetchInterval: ({ state }) => (state.data?.endedAt ? false : every),
  })
  const end = useAction(studyTeaching.endRoll, {
    invalidates: [study.read, studyTeaching.roll, studyTeaching.rolls, studyTeaching.attendants],
    done: onEnded,
  })
  return (
    <QueryView query={roll} skeleton={<Skeleton height={360} label={m.shell_loading()} />}>
      {(data) => (
        <>
          {data.code ? (
            <Card title={m.study_roll_open()}>
              <Code course={course.id} roll={data} />
              <Button
                kind="plain"
                wide
                busy={end.isPending}
                onClick={() => end.mutate({ params: { id } })}
              >
                {m.study_roll_end()}
              </Button>
            </Card>
          ) : null}
          <Counts roll={data} />
          <RollPeople roll={data} />
        </>
      )}
    </QueryView>
  )
}

/** The current code, readable from the last row, and as a QR code. */
function Code({ course, roll }: { course: string; roll: Roll }) {
  const { timeZone } = useSystem()
  const href = hrefOf('/study-center/pages/studyCenter/teachingCourse', {
    id: course,
    code: roll.code,
  })
  return (
    <div className="study-code">
      <p className="study-code-number num" role="status" aria-label={m.study_roll_code()}>
        {roll.code.slice(0, 3)}
        <span aria-hidden="true"> </span>
        {roll.code.slice(3)}
      </p>
      <div className="study-code-picture">
        <QrCode text={new URL(href, location.origin).href} label={m.study_roll_scan()} />
      </div>
      <p className="muted num">
        {m.study_roll_until({
          late: formatTime(roll.lateAt, timeZone),
          until: formatTime(roll.closesAt, timeZone),
        })}
      </p>
    </div>
  )
}

function Counts({ roll }: { roll: Roll }) {
  const presentCount = roll.present + roll.late
  return (
    <Card
      title={m.study_roll_counts()}
      aside={<span className="num">{`${presentCount}/${roll.students}`}</span>}
    >
      <dl className="study-figures">
        {(
          [
            [m.study_state_present(), roll.present],
            [m.study_state_late(), roll.late],
            [m.study_state_absent(), roll.absent],
            [m.study_state_excused(), roll.excused],
          ] as const
        ).map(([name, count]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="num">{count}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

function PastRolls({ course }: { course: string }) {
  const { timeZone } = useSystem()
  const rolls = useInfiniteQuery(
    pages(studyTeaching.rolls, { params: { id: course }, query: { pageSize: 10 } }),
  )
  const list = rolls.data?.pages.flatMap((page) => page.list.filter(({ endedAt }) => endedAt)) ?? []
  if (list.length === 0) return null
  return (
    <section className="stack" aria-labelledby="course-rolls">
      <h3 id="course-rolls" className="study-section">
        {m.study_rolls()}
      </h3>
      <ul className="row-list">
        {list.map((roll) => (
          <li key={roll.id} className="study-line num">
            <span className="study-grow">{formatDayAndTime(roll.openedAt, timeZone)}</span>
            <span className="muted">
              {m.study_roll_line({
                there: roll.present + roll.late,
                absent: roll.absent,
              })}
            </span>
          </li>
        ))}
      </ul>
      <ListEnd query={rolls} />
    </section>
  )
}

function Attendants({ course }: { course: string }) {
  const people = useInfiniteQuery(
    pages(studyTeaching.attendants, { params: { id: course }, query: { pageSize: 50 } }),
  )
  return (
    <section className="stack" aria-labelledby="course-attendants">
      <h3 id="course-attendants" className="study-section">
        {m.study_attendants()}
      </h3>
      <QueryView
        query={people}
        skeleton={<Skeleton rows={6} height={56} label={m.shell_loading()} />}
      >
        {({ pages: all }) => (
          <>
            <ul className="row-list">
              {all.flatMap(({ list }) =>
                list.map((one) => <AttendantRow key={one.accountId} attendant={one} />),
              )}
            </ul>
            <ListEnd query={people} />
          </>
        )}
      </QueryView>
    </section>
  )
}

const AttendantRow = ({ attendant }: { attendant: Attendant }) => (
  <li className="study-line">
    <span className="study-two study-grow">
      <span>{nameOf(attendant)}</span>
      <span className="muted num">{attendant.username}</span>
    </span>
    <span className="muted num">
      {m.study_attendant_line({
        there: attendant.present + attendant.late,
        absent: attendant.absent,
      })}
    </span>
  </li>
)
