import type { Assignment, CourseDetail } from '@atrium/contract/learning/study'
import { useState } from 'react'
import { dueText } from '#domains/work/tasks/due.ts'
import { formatDayAndTime } from '#lib/format.ts'
import { userTextLang } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { navigate, openAddress } from '#shell/navigation/navigation.ts'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Button } from '#ui/form/button.tsx'
import { Pill } from '#ui/pill.tsx'
import { AssignSheet } from './assign-sheet.tsx'
import { markText, titleOf } from './labels.ts'

/** The assignments of a course and their marks. */
export function CourseWork({ course }: { course: CourseDetail }) {
  const [writing, setWriting] = useState(false)
  const teaches = course.role === 'teaches'
  return (
    <>
      {teaches ? (
        <Button kind="plain" wide onClick={() => setWriting(true)}>
          {m.study_assign()}
        </Button>
      ) : null}
      {course.assignments.length === 0 ? (
        <Card>
          <Empty icon="edit" title={m.study_work_none()} />
        </Card>
      ) : null}
      {course.assignments.map((one) => (
        <Work key={one.id} work={one} teaches={teaches} students={course.students} />
      ))}
      {teaches ? (
        <AssignSheet course={course.id} open={writing} onClose={() => setWriting(false)} />
      ) : null}
    </>
  )
}

type WorkProps = { work: Assignment; teaches: boolean; students: number }

function Work({ work, teaches, students }: WorkProps) {
  const { timeZone } = useSystem()
  const { mark, handedAt, dueAt, kind } = work
  const due = dueAt && kind === 'work' ? dueText(dueAt, timeZone) : null
  return (
    <Card
      title={titleOf(work)}
      aside={mark ? <strong className="study-mark num">{markText(mark)}</strong> : null}
    >
      <p className="study-facts num">
        {dueAt ? (
          <span className="muted">
            {m.study_due_at({ time: formatDayAndTime(dueAt, timeZone) })}
          </span>
        ) : null}
        {work.points !== null && !mark ? (
          <span className="muted">{m.study_points({ count: work.points })}</span>
        ) : null}
        {teaches ? (
          kind === 'work' ? (
            <Pill tone={work.handed === students ? 'green' : 'blue'}>
              {m.study_handed_count({ count: work.handed, of: students })}
            </Pill>
          ) : null
        ) : handedAt ? (
          <Pill tone="green">{m.study_handed()}</Pill>
        ) : work.sentBack !== null ? (
          <Pill tone="orange">{m.study_sent_back()}</Pill>
        ) : due ? (
          <Pill tone={due.pressing ? 'orange' : 'amber'}>{due.text}</Pill>
        ) : null}
      </p>
      {work.text ? (
        <p className="study-text" lang={userTextLang(work.text)}>
          {work.text}
        </p>
      ) : null}
      {work.sentBack ? (
        <p className="study-feedback">
          <span className="muted">{m.study_send_back_note()}</span> {work.sentBack}
        </p>
      ) : null}
      {mark?.feedback ? (
        <p className="study-feedback">
          <span className="muted">{m.study_feedback()}</span> {mark.feedback}
        </p>
      ) : null}
      {teaches ? (
        <Button
          kind="plain"
          wide
          onClick={() =>
            navigate('/study-center/pages/studyCenter/assignment', {
              id: work.id,
              course: work.courseId,
            })
          }
        >
          {m.study_results()}
        </Button>
      ) : kind === 'work' && !handedAt && work.url ? (
        <Button wide onClick={() => openAddress(work.url)}>
          {m.study_hand_in_there()}
        </Button>
      ) : kind === 'work' && work.taskId ? (
        <Button
          wide
          kind={handedAt ? 'plain' : 'primary'}
          onClick={() =>
            navigate('/msgCenter/pages/task/applicationDetail', { id: work.taskId ?? '' })
          }
        >
          {handedAt ? m.study_handed_show() : m.study_hand_in()}
        </Button>
      ) : null}
    </Card>
  )
}
