import { type CourseDetail, codeLength, study } from '@atrium/contract/learning/study'
import { useEffect, useRef, useState } from 'react'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { Card } from '#ui/card.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { CodeField } from '#ui/form/code-field.tsx'
import { Icon } from '#ui/media/icon.tsx'

/** During a roll call: a student enters the code that the teacher shows, or has scanned it. */
export function AnswerRoll({
  course,
  scanned,
}: {
  course: CourseDetail
  scanned?: string | undefined
}) {
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const { mutate } = useAction(study.attend, {
    invalidates: [study.read],
    done: ({ state }) => toast(state === 'late' ? m.study_roll_late() : m.study_roll_done()),
    failed: (problem) => {
      setError(problem.message)
      setCode('')
      return true
    },
  })
  const send = (enteredCode: string) => {
    setError(undefined)
    mutate({ params: { id: course.id }, body: { code: enteredCode } })
  }
  const { entered } = course.attendance
  // A scanned code is sent once, automatically.
  const first = useRef(scanned)
  const sendScanned = useRef(send)
  sendScanned.current = send
  useEffect(() => {
    if (entered || !first.current) return
    sendScanned.current(first.current)
    first.current = undefined
  }, [entered])
  if (entered)
    return (
      <Card>
        <p className="study-answered" role="status">
          <Icon name="check" />
          {m.study_roll_answered()}
        </p>
      </Card>
    )
  return (
    <Card title={m.study_roll_open()}>
      <p className="study-quiet">{m.study_roll_hint()}</p>
      <CodeField
        value={code}
        onValue={setCode}
        onComplete={send}
        length={codeLength}
        label={m.study_roll_code()}
        {...(error !== undefined && { error })}
      />
    </Card>
  )
}
