import './study.css'
import { type Assignment, study } from '@atrium/contract/learning/study'
import { type ResultLine, studyTeaching } from '@atrium/contract/learning/study-teaching'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { deleteDraft } from '#lib/drafts.ts'
import { formatDayAndTime } from '#lib/format.ts'
import { userTextLang } from '#lib/language.ts'
import { pages, q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { Link } from '#shell/navigation/link.tsx'
import { useAction } from '#shell/page/action.ts'
import { ListEnd } from '#shell/page/list-end.tsx'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Sheet } from '#ui/feedback/dialog.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftFields } from '#ui/form/draft-form.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextArea } from '#ui/form/text-area.tsx'
import { RowContent } from '#ui/list-row.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { markText, nameOf, titleOf } from './labels.ts'

/** The submissions and marks of each student, for the teachers of the course. */
export default function ResultsPage() {
  const { id, course: courseId } = useSearch('/study-center/pages/studyCenter/assignment')
  const course = useQuery(q(study.read, { params: { id: courseId } }))
  const results = useInfiniteQuery(
    pages(studyTeaching.results, { params: { id }, query: { pageSize: 50 } }),
  )
  const [chosen, setChosen] = useState<ResultLine>()
  const assignment = course.data?.assignments.find((one) => one.id === id)
  return (
    <Page onRefresh={() => Promise.all([course.refetch(), results.refetch()])}>
      <div className="column stack">
        <QueryView
          query={course}
          skeleton={<Skeleton rows={8} height={56} label={m.shell_loading()} />}
          below={
            <QueryView
              query={results}
              skeleton={<Skeleton rows={7} height={56} label={m.shell_loading()} />}
            >
              {({ pages: all }) => (
                <>
                  <Results
                    id={id}
                    list={all.flatMap((page) => page.list)}
                    points={assignment?.points ?? null}
                    onChoose={setChosen}
                  />
                  <ListEnd query={results} />
                </>
              )}
            </QueryView>
          }
        >
          {({ students }) =>
            assignment ? <Summary assignment={assignment} students={students} /> : null
          }
        </QueryView>
      </div>
      {chosen ? (
        <MarkSheet
          key={chosen.accountId}
          id={id}
          one={chosen}
          points={assignment?.points ?? null}
          here={assignment?.kind === 'work' && assignment.url === ''}
          onClose={() => setChosen(undefined)}
        />
      ) : null}
    </Page>
  )
}

/** Names the assignment here rather than in the bar, which would grow with a long name and shift the content. */
function Summary({ assignment, students }: { assignment: Assignment; students: number }) {
  const { timeZone } = useSystem()
  const { dueAt, points, kind, handed } = assignment
  return (
    <Card title={titleOf(assignment)}>
      <p className="study-facts muted num">
        {dueAt ? <span>{m.study_due_at({ time: formatDayAndTime(dueAt, timeZone) })}</span> : null}
        {points === null ? null : <span>{m.study_points({ count: points })}</span>}
        {kind === 'work' ? (
          <span>{m.study_handed_count({ count: handed, of: students })}</span>
        ) : null}
      </p>
    </Card>
  )
}

type ResultsProps = {
  id: string
  list: readonly ResultLine[]
  points: number | null
  onChoose: (one: ResultLine) => void
}

function Results({ id, list, points, onChoose }: ResultsProps) {
  const { mutate, isPending } = useAction(studyTeaching.mark, {
    invalidates: [studyTeaching.results, study.read],
    done: ({ published }) => toast(m.study_published({ count: published })),
  })
  return (
    <>
      {list.some((one) => !one.published && isMarked(one)) ? (
        <Button
          wide
          busy={isPending}
          onClick={() => mutate({ params: { id }, body: { list: [], publish: true } })}
        >
          {m.study_publish()}
        </Button>
      ) : null}
      <ul className="row-list">
        {list.map((one) => (
          <li key={one.accountId}>
            <button type="button" className="list-row" onClick={() => onChoose(one)}>
              <Row result={one} points={points} />
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

const isMarked = ({ score, grade }: ResultLine) => score !== null || grade !== ''

function Row({ result, points }: { result: ResultLine; points: Assignment['points'] }) {
  const { timeZone } = useSystem()
  const { score, grade } = result
  return (
    <RowContent
      value={
        isMarked(result) ? (
          <span className="num">
            <strong>{markText({ score, points, grade, feedback: '', at: '' })}</strong>{' '}
            {result.published ? '' : m.study_unpublished()}
          </span>
        ) : null
      }
      leads
    >
      <span className="study-two">
        <span>{nameOf(result)}</span>
        <span className="muted num">
          {result.username} ·{' '}
          {result.handedAt
            ? m.study_handed_at({ time: formatDayAndTime(result.handedAt, timeZone) })
            : result.sentBackAt
              ? m.study_sent_back_line()
              : m.study_not_handed()}
        </span>
      </span>
    </RowContent>
  )
}

type MarkSheetProps = {
  id: string
  one: ResultLine
  points: number | null
  /** It is submitted in the portal and can be returned. */
  here: boolean
  onClose: () => void
}

function MarkSheet({ id, one, points, here, onClose }: MarkSheetProps) {
  const [score, setScore] = useState(one.score === null ? '' : String(one.score))
  const [feedback, setFeedback] = useState(one.feedback)
  const draft = `study.mark ${id} ${one.accountId}`
  const { mutate, isPending } = useAction(studyTeaching.mark, {
    invalidates: [studyTeaching.results],
    done() {
      deleteDraft(draft)
      onClose()
    },
  })
  const number = score.trim() === '' ? null : Number(score)
  const bad = number !== null && !(number >= 0 && number <= (points ?? 10_000))
  const save = () =>
    mutate({
      params: { id },
      body: {
        list: [{ accountId: one.accountId, score: number, grade: one.grade, feedback }],
        publish: false,
      },
    })
  return (
    <Sheet
      open
      onClose={onClose}
      title={nameOf(one)}
      actions={
        <Button wide busy={isPending} disabled={bad} onClick={save}>
          {m.study_mark_save()}
        </Button>
      }
    >
      <DraftFields draft={draft} className="stack">
        {one.comment ? (
          <p className="study-text" lang={userTextLang(one.comment)}>
            {one.comment}
          </p>
        ) : null}
        {one.files.length > 0 ? (
          <ul className="row-list">
            {one.files.map((file) => (
              <li key={file.url}>
                <Link className="list-row" to="/pagesA/news/video" search={{ url: file.url }}>
                  <RowContent icon="file" leads>
                    {file.name}
                  </RowContent>
                </Link>
              </li>
            ))}
          </ul>
        ) : null}
        {one.handedAt ? null : (
          <p className="study-quiet">
            <Icon name="info" /> {m.study_not_handed()}
          </p>
        )}
        <Field
          label={points === null ? m.study_mark_score() : m.study_mark_of({ points })}
          inputMode="decimal"
          value={score}
          onValue={setScore}
          {...(bad && { error: m.study_mark_bad() })}
        />
        <TextArea
          label={m.study_feedback()}
          value={feedback}
          onValue={setFeedback}
          maxLength={2000}
        />
      </DraftFields>
      {here && one.handedAt && !one.published ? (
        <SendBack id={id} accountId={one.accountId} onDone={onClose} />
      ) : null}
    </Sheet>
  )
}

type SendBackProps = { id: string; accountId: string; onDone: () => void }

/** Returns a submission to the student, who submits it again. */
function SendBack({ id, accountId, onDone }: SendBackProps) {
  const [writing, setWriting] = useState(false)
  const [note, setNote] = useState('')
  const [missing, setMissing] = useState(false)
  const { mutate, isPending } = useAction(studyTeaching.sendBack, {
    invalidates: [studyTeaching.results, study.read],
    done() {
      toast(m.study_sent_back_now())
      onDone()
    },
  })
  const send = () => {
    setMissing(!note.trim())
    if (note.trim()) mutate({ params: { id, accountId }, body: { note } })
  }
  if (!writing)
    return (
      <Button kind="plain" onClick={() => setWriting(true)}>
        {m.study_send_back()}
      </Button>
    )
  return (
    <>
      <TextArea
        label={m.study_send_back_note()}
        value={note}
        onValue={(value) => {
          setMissing(false)
          setNote(value)
        }}
        maxLength={1000}
        {...(missing && { error: m.study_send_back_needs() })}
      />
      <p className="muted">{m.study_send_back_hint()}</p>
      <Button kind="danger" busy={isPending} onClick={send}>
        {m.study_send_back()}
      </Button>
    </>
  )
}
