import { study } from '@atrium/contract/learning/study'
import { studyTeaching } from '@atrium/contract/learning/study-teaching'
import { parseZonedTime } from '@atrium/rules/parse-zoned-time'
import { useState } from 'react'
import { deleteDraft } from '#lib/drafts.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { useAction } from '#shell/page/action.ts'
import { Sheet } from '#ui/feedback/dialog.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { DateField } from '#ui/form/date-field.tsx'
import { DraftFields } from '#ui/form/draft-form.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextArea } from '#ui/form/text-area.tsx'

type AssignSheetProps = { course: string; open: boolean; onClose: () => void }
const blank = { title: '', text: '', day: '', time: '23:00', points: '100' }

/** A new assignment: becomes a task for every student, and a date in their schedule. */
export function AssignSheet({ course, open, onClose }: AssignSheetProps) {
  const { timeZone } = useSystem()
  const [fields, setFields] = useState(blank)
  const set = (name: keyof typeof blank) => (value: string) =>
    setFields((before) => ({ ...before, [name]: value }))
  const { mutate, isPending } = useAction(studyTeaching.createAssignment, {
    invalidates: [study.read, study.courses],
    done: () => {
      toast(m.study_assigned())
      deleteDraft(`study.assign ${course}`)
      setFields(blank)
      onClose()
    },
  })
  const points = fields.points.trim() === '' ? null : Number(fields.points)
  const bad = points !== null && !(points > 0 && points <= 10_000)
  const ready = Boolean(fields.title.trim() && fields.day && fields.time) && !bad
  const save = () =>
    mutate({
      params: { id: course },
      body: {
        title: fields.title,
        titleEn: '',
        text: fields.text,
        dueAt: new Date(parseZonedTime(`${fields.day}T${fields.time}`, timeZone)).toISOString(),
        points,
      },
    })
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={m.study_assign()}
      actions={
        <Button wide busy={isPending} disabled={!ready} onClick={save}>
          {m.study_assign_save()}
        </Button>
      }
    >
      <DraftFields draft={`study.assign ${course}`} className="stack">
        <Field
          label={m.study_assign_title()}
          value={fields.title}
          onValue={set('title')}
          maxLength={100}
        />
        <TextArea
          label={m.study_assign_text()}
          value={fields.text}
          onValue={set('text')}
          maxLength={4000}
        />
        <div className="study-pair">
          <DateField label={m.study_assign_day()} value={fields.day} onValue={set('day')} />
          <Field
            type="time"
            label={m.study_assign_time()}
            value={fields.time}
            onValue={set('time')}
          />
        </div>
        <Field
          label={m.study_assign_points()}
          inputMode="decimal"
          value={fields.points}
          onValue={set('points')}
          hint={m.study_assign_points_hint()}
          {...(bad && { error: m.study_points_bad() })}
        />
      </DraftFields>
    </Sheet>
  )
}
