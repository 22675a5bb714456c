import './study.css'
import type { Reply } from '@atrium/contract/define'
import { type Assignment, type Course, study } from '@atrium/contract/learning/study'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dueText } from '#domains/work/tasks/due.ts'
import { formatDayAndTime } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { Link } from '#shell/navigation/link.tsx'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Facts } from '#ui/facts.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Select } from '#ui/form/select.tsx'
import { RowContent } from '#ui/list-row.tsx'
import { Pill } from '#ui/pill.tsx'
import { UserText } from '#ui/user-text.tsx'
import { lessonTime, markText, nameOf, termName, titleOf, weekText } from './labels.ts'
import { Progress } from './progress.tsx'
import { SourceNotes } from './source-notes.tsx'

type Overview = Reply<typeof study.overview>

/** The study centre: what comes next, what is due, and the courses of a term. */
export default function StudyPage() {
  const overview = useQuery(q(study.overview))
  const [term, setTerm] = useState<string>()
  const courses = useQuery(q(study.courses, { query: { ...(term && { term }) } }))
  return (
    <Page onRefresh={() => Promise.all([overview.refetch(), courses.refetch()])}>
      <div className="column stack">
        <QueryView
          query={overview}
          skeleton={<Skeleton height={220} label={m.shell_loading()} />}
          isEmpty={({ terms }) => terms.length === 0}
          empty={
            <Card>
              <Empty icon="graduation" title={m.study_none()}>
                {m.study_none_hint()}
              </Empty>
            </Card>
          }
        >
          {(data) => (
            <>
              <SourceNotes sources={data.stale} />
              <Now overview={data} />
              <Due list={data.due} />
              <section className="stack" aria-labelledby="study-courses">
                <div className="study-head">
                  <h2 id="study-courses">{m.study_courses()}</h2>
                  <Select
                    small
                    aria-label={m.study_term()}
                    value={term ?? data.term?.code ?? ''}
                    onValue={setTerm}
                  >
                    {data.terms.map((one) => (
                      <option key={one.code} value={one.code}>
                        {termName(one)}
                      </option>
                    ))}
                  </Select>
                </div>
                <QueryView
                  query={courses}
                  skeleton={<Skeleton rows={4} height={96} label={m.shell_loading()} />}
                  isEmpty={(list) => list.length === 0}
                  empty={
                    <Card>
                      <Empty icon="book" title={m.study_courses_none()} />
                    </Card>
                  }
                >
                  {(list) => (
                    <ul className="study-courses">
                      {[...list].sort(byNext).map((course) => (
                        <CourseCard key={course.id} course={course} />
                      ))}
                    </ul>
                  )}
                </QueryView>
              </section>
              <Marks list={data.marks} />
            </>
          )}
        </QueryView>
      </div>
    </Page>
  )
}

/** By next lesson; courses without one come last. */
const byNext = (one: Course, other: Course) =>
  (one.next?.startsAt ?? '9').localeCompare(other.next?.startsAt ?? '9')

/** The term, the credits and the next lesson. */
function Now({ overview: { term, next, credits } }: { overview: Overview }) {
  const { timeZone } = useSystem()
  return (
    <Card title={term ? termName(term) : m.study_title()} aside={term ? weekText(term) : null}>
      {next ? (
        <Link
          className="study-next"
          to="/study-center/pages/studyCenter/teachingCourse"
          search={{ id: next.courseId }}
        >
          <span className="study-next-label">{m.study_next()}</span>
          <span className="study-next-title">{titleOf(next)}</span>
          <span className="study-when num">
            <span>{lessonTime(next, timeZone)}</span>
            {next.location ? (
              <span>
                <UserText>{inLanguage(next.location, next.locationEn)}</UserText>
              </span>
            ) : null}
          </span>
        </Link>
      ) : (
        <p className="study-quiet">{m.study_next_none()}</p>
      )}
      {credits.enrolled > 0 || credits.earned > 0 ? (
        <dl className="study-figures">
          <div>
            <dt>{m.study_credits_term()}</dt>
            <dd className="num">{credits.enrolled}</dd>
          </div>
          <div>
            <dt>{m.study_credits_earned()}</dt>
            <dd className="num">{credits.earned}</dd>
          </div>
        </dl>
      ) : null}
    </Card>
  )
}

function Due({ list }: { list: readonly Assignment[] }) {
  if (list.length === 0) return null
  return (
    <section className="stack" aria-labelledby="study-due">
      <h2 id="study-due" className="study-section">
        {m.study_due()}
      </h2>
      <ul className="row-list">
        {list.map((one) => (
          <li key={one.id}>
            {one.taskId ? (
              <Link
                className="list-row"
                to="/msgCenter/pages/task/applicationDetail"
                search={{ id: one.taskId }}
              >
                <DueRow work={one} />
              </Link>
            ) : (
              <Link
                className="list-row"
                to="/study-center/pages/studyCenter/teachingCourse"
                search={{ id: one.courseId }}
              >
                <DueRow work={one} />
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function DueRow({ work }: { work: Assignment }) {
  const { timeZone } = useSystem()
  const due = work.dueAt ? dueText(work.dueAt, timeZone) : null
  return (
    <RowContent
      icon="edit"
      value={
        due ? <span className={due.pressing ? 'study-pressing num' : 'num'}>{due.text}</span> : null
      }
      leads
    >
      <span className="study-two">
        <span>{titleOf(work)}</span>
        <span className="muted">{inLanguage(work.courseName, work.courseNameEn)}</span>
      </span>
    </RowContent>
  )
}

function CourseCard({ course }: { course: Course }) {
  const { timeZone } = useSystem()
  const teachers = course.teachers.map(nameOf).join(m.study_and())
  return (
    <li>
      <Link
        className={`study-course event-${course.color}`}
        to="/study-center/pages/studyCenter/teachingCourse"
        search={{ id: course.id }}
      >
        <span className="study-course-head">
          <span className="study-course-name">{nameOf(course)}</span>
          {course.role === 'teaches' ? <Pill>{m.study_teaching()}</Pill> : null}
          {course.open > 0 ? (
            <Pill tone="orange">{m.study_open({ count: course.open })}</Pill>
          ) : null}
          {course.total ? <Pill tone="green">{markText(course.total)}</Pill> : null}
        </span>
        <span className="muted num">
          <Facts
            of={[
              course.role === 'teaches' ? m.study_students({ count: course.students }) : teachers,
              course.credits === null ? '' : m.study_credits({ count: course.credits }),
            ]}
          />
        </span>
        {course.next ? (
          <span className="study-course-next study-when num">
            <span>{lessonTime(course.next, timeZone)}</span>
            {course.next.location ? (
              <span>
                <UserText>{inLanguage(course.next.location, course.next.locationEn)}</UserText>
              </span>
            ) : null}
          </span>
        ) : null}
        {course.progress === null ? null : <Progress value={course.progress} />}
      </Link>
    </li>
  )
}

function Marks({ list }: { list: readonly Assignment[] }) {
  const { timeZone } = useSystem()
  if (list.length === 0) return null
  return (
    <section className="stack" aria-labelledby="study-marks">
      <h2 id="study-marks" className="study-section">
        {m.study_marks()}
      </h2>
      <ul className="row-list">
        {list.map((one) => (
          <li key={one.id}>
            <Link
              className="list-row"
              to="/study-center/pages/studyCenter/teachingCourse"
              search={{ id: one.courseId }}
            >
              <RowContent
                icon="award"
                value={<strong className="num">{one.mark ? markText(one.mark) : ''}</strong>}
                leads
              >
                <span className="study-two">
                  <span>{titleOf(one)}</span>
                  <span className="muted num">
                    {inLanguage(one.courseName, one.courseNameEn)}
                    {one.mark ? ` · ${formatDayAndTime(one.mark.at, timeZone)}` : ''}
                  </span>
                </span>
              </RowContent>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
