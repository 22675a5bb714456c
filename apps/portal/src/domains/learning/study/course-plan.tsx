import { lti } from '@atrium/contract/learning/lti'
import { type CourseDetail, type Material, study } from '@atrium/contract/learning/study'
import { formatBytes, kindOfFile } from '@atrium/rules/file-kinds'
import { useState } from 'react'
import { fileIcon } from '#domains/content/files/file-icon.ts'
import { m } from '#paraglide/messages.js'
import { navigate } from '#shell/navigation/navigation.ts'
import { useAction } from '#shell/page/action.ts'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Button } from '#ui/form/button.tsx'
import { RowContent, RowList } from '#ui/list-row.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { titleOf } from './labels.ts'
import { MaterialSheet } from './material-sheet.tsx'

/** The plan of a course; teachers can add materials. */
export function CoursePlan({ course }: { course: CourseDetail }) {
  const [adding, setAdding] = useState(false)
  if (course.role !== 'teaches') return <Plan course={course} />
  return (
    <>
      <Button kind="plain" wide onClick={() => setAdding(true)}>
        {m.study_add_material()}
      </Button>
      <Plan course={course} />
      <MaterialSheet course={course.id} open={adding} onClose={() => setAdding(false)} />
    </>
  )
}

/** The units with their materials; materials without a unit come first. */
function Plan({ course }: { course: CourseDetail }) {
  const { plan, materials } = course
  if (plan.length === 0 && materials.length === 0)
    return (
      <Card>
        <Empty icon="book" title={m.study_plan_none()}>
          {m.study_plan_none_hint()}
        </Empty>
      </Card>
    )
  const ofUnit = (id: string | null) => materials.filter(({ unitId }) => unitId === id)
  const general = ofUnit(null)
  return (
    <>
      {general.length > 0 ? (
        <section className="stack" aria-labelledby="course-materials">
          <h3 id="course-materials" className="study-section">
            {m.study_materials()}
          </h3>
          <Materials list={general} />
        </section>
      ) : null}
      {plan.length > 0 ? (
        <section className="stack" aria-labelledby="course-plan">
          <h3 id="course-plan" className="study-section">
            {m.study_part_plan()}
          </h3>
          <ol className="study-plan">
            {plan.map((unit) => (
              <li key={unit.id} className="study-unit">
                <p className="study-unit-week num">
                  {unit.week === null ? '' : m.study_week_number({ week: unit.week })}
                </p>
                <div className="study-unit-words">
                  <p>{titleOf(unit)}</p>
                  {unit.text ? <p className="muted">{unit.text}</p> : null}
                  <Materials list={ofUnit(unit.id)} />
                </div>
              </li>
            ))}
          </ol>
        </section>
      ) : null}
    </>
  )
}

function Materials({ list }: { list: readonly Material[] }) {
  const { mutate } = useAction(study.see, { invalidates: [study.read, study.courses] })
  const tool = useAction(lti.launch, { done: ({ url }) => location.assign(url) })
  if (list.length === 0) return null
  return (
    <RowList>
      {list.map((one) => {
        const seen = () => {
          if (!one.seen) mutate({ params: { id: one.id } })
        }
        const content = (
          <RowContent
            icon={
              one.kind === 'file'
                ? fileIcon[kindOfFile(one.title, one.mediaType)]
                : one.kind === 'tool'
                  ? 'tool'
                  : 'link'
            }
            value={
              <span className="study-seen num">
                {one.kind === 'file' ? formatBytes(one.byteSize) : null}
                {one.seen ? (
                  <>
                    <Icon name="check" />
                    <span>{m.study_seen()}</span>
                  </>
                ) : null}
              </span>
            }
            leads
          >
            {titleOf(one)}
          </RowContent>
        )
        return (
          <li key={one.id}>
            {one.kind === 'link' ? (
              <a
                className="list-row"
                href={one.url}
                target="_blank"
                rel="noreferrer"
                onClick={seen}
              >
                {content}
              </a>
            ) : (
              <button
                type="button"
                className="list-row"
                onClick={() => {
                  seen()
                  if (one.kind === 'tool') tool.mutate({ params: { id: one.id } })
                  else navigate('/pagesA/news/video', { url: one.url })
                }}
              >
                {content}
              </button>
            )}
          </li>
        )
      })}
    </RowList>
  )
}
