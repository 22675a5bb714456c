import './study.css'
import { type CourseDetail, study } from '@atrium/contract/learning/study'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Facts } from '#ui/facts.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Pill } from '#ui/pill.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { AnswerRoll } from './answer-roll.tsx'
import { CourseNow } from './course-now.tsx'
import { CoursePeople } from './course-people.tsx'
import { CoursePlan } from './course-plan.tsx'
import { CourseRoll } from './course-roll.tsx'
import { CourseWork } from './course-work.tsx'
import { markText, nameOf, termName } from './labels.ts'
import { Progress } from './progress.tsx'
import { SourceNotes } from './source-notes.tsx'

type Part = 'now' | 'plan' | 'work' | 'people' | 'roll'

/** One course. */
export default function CoursePage() {
  const { id, code } = useSearch('/study-center/pages/studyCenter/teachingCourse')
  const [part, setPart] = useState<Part>('now')
  const course = useQuery(q(study.read, { params: { id } }))
  const teaches = course.data?.role === 'teaches'
  return (
    <Page onRefresh={() => course.refetch()}>
      <div className="column stack">
        <QueryView query={course} skeleton={<Skeleton height={420} label={m.shell_loading()} />}>
          {(data) => (
            <>
              <Head course={data} />
              <SourceNotes sources={data.sources} />
              {data.role === 'attends' && data.attendance.openId ? (
                <AnswerRoll course={data} scanned={code} />
              ) : null}
              <Tabs
                variant="line"
                label={m.study_parts()}
                items={[
                  { value: 'now', label: m.study_part_now() },
                  { value: 'plan', label: m.study_part_plan() },
                  { value: 'work', label: m.study_part_work() },
                  { value: 'people', label: m.study_part_people() },
                  ...(teaches ? [{ value: 'roll' as const, label: m.study_part_roll() }] : []),
                ]}
                value={part}
                onChange={setPart}
              >
                <div className="stack study-part">
                  {part === 'now' ? <CourseNow course={data} /> : null}
                  {part === 'plan' ? <CoursePlan course={data} /> : null}
                  {part === 'work' ? <CourseWork course={data} /> : null}
                  {part === 'people' ? <CoursePeople id={data.id} /> : null}
                  {part === 'roll' ? <CourseRoll course={data} /> : null}
                </div>
              </Tabs>
            </>
          )}
        </QueryView>
      </div>
    </Page>
  )
}

function Head({ course }: { course: CourseDetail }) {
  const facts = [
    course.code,
    termName(course.term),
    course.credits === null ? '' : m.study_credits({ count: course.credits }),
    m.study_students({ count: course.students }),
  ]
  return (
    <Card>
      <div className={`study-course-top event-${course.color}`}>
        <h2 className="study-course-title">{nameOf(course)}</h2>
        <p className="muted num">
          <Facts of={facts} />
        </p>
        {course.teachers.length > 0 ? (
          <p>{course.teachers.map(nameOf).join(m.study_and())}</p>
        ) : null}
        {course.total ? (
          <p>
            <Pill tone="green">{m.study_total({ mark: markText(course.total) })}</Pill>
          </p>
        ) : null}
      </div>
      {course.progress === null ? null : <Progress value={course.progress} />}
    </Card>
  )
}
