import type { CourseDetail } from '@atrium/contract/learning/study'
import { useState } from 'react'
import { formatRelativeTime } from '#lib/format.ts'
import { inLanguage, userTextLang } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { LinkRow } from '#shell/navigation/link-row.tsx'
import { Card } from '#ui/card.tsx'
import { Facts } from '#ui/facts.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Button } from '#ui/form/button.tsx'
import { RowList } from '#ui/list-row.tsx'
import { AnnounceSheet } from './announce-sheet.tsx'
import { lessonTime } from './labels.ts'

/** The next lessons of a course, its announcements, and the student's attendance. */
export function CourseNow({ course }: { course: CourseDetail }) {
  const { timeZone } = useSystem()
  const [writing, setWriting] = useState(false)
  const { lessons, announcements, role } = course
  const about = inLanguage(course.about, course.aboutEn)
  return (
    <>
      <section className="stack" aria-labelledby="course-lessons">
        <h3 id="course-lessons" className="study-section">
          {m.study_lessons()}
        </h3>
        {lessons.length > 0 ? (
          <RowList values="below">
            {lessons.map((lesson) => (
              <LinkRow
                key={lesson.startsAt}
                to="/pages/shedul/shedulDetail"
                search={{ id: lesson.eventId, startsAt: lesson.startsAt }}
                icon="clock"
                value={inLanguage(lesson.location, lesson.locationEn)}
              >
                <span className="num">{lessonTime(lesson, timeZone)}</span>
              </LinkRow>
            ))}
          </RowList>
        ) : (
          <Card>
            <p className="study-quiet">{m.study_lessons_none()}</p>
          </Card>
        )}
      </section>
      <section className="stack" aria-labelledby="course-announcements">
        <div className="study-head">
          <h3 id="course-announcements">{m.study_announcements()}</h3>
          {role === 'teaches' ? (
            <Button kind="plain" small onClick={() => setWriting(true)}>
              {m.study_announce()}
            </Button>
          ) : null}
        </div>
        {announcements.length > 0 ? (
          announcements.map((one) => (
            <Card key={one.id} title={one.title}>
              <p className="study-text" lang={userTextLang(one.text)}>
                {one.text}
              </p>
              <p className="muted num">
                <Facts
                  of={[
                    inLanguage(one.author, one.authorEn),
                    formatRelativeTime('messages', one.createdAt),
                  ]}
                />
              </p>
            </Card>
          ))
        ) : (
          <Card>
            <Empty icon="speaker" title={m.study_announcements_none()} />
          </Card>
        )}
      </section>
      {role === 'attends' ? <Attendance counts={course.attendance.own} /> : null}
      {about ? (
        <Card title={m.study_about()}>
          <p className="study-text" lang={userTextLang(about)}>
            {about}
          </p>
        </Card>
      ) : null}
      <AnnounceSheet
        course={course.id}
        people={course.students}
        open={writing}
        onClose={() => setWriting(false)}
      />
    </>
  )
}

function Attendance({ counts }: { counts: CourseDetail['attendance']['own'] }) {
  if (Object.values(counts).every((count) => count === 0)) return null
  return (
    <Card title={m.study_attendance()}>
      <dl className="study-figures">
        {(
          [
            [m.study_state_present(), counts.present],
            [m.study_state_late(), counts.late],
            [m.study_state_absent(), counts.absent],
            [m.study_state_excused(), counts.excused],
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
