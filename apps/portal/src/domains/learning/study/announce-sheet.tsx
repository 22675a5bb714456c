import { study } from '@atrium/contract/learning/study'
import { studyTeaching } from '@atrium/contract/learning/study-teaching'
import { useState } from 'react'
import { deleteDraft } from '#lib/drafts.ts'
import { formatNumber } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { Sheet } from '#ui/feedback/dialog.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftFields } from '#ui/form/draft-form.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextArea } from '#ui/form/text-area.tsx'

type AnnounceSheetProps = { course: string; people: number; open: boolean; onClose: () => void }

/** A teacher's announcement, sent to everyone in the course as a message. */
export function AnnounceSheet({ course, people, open, onClose }: AnnounceSheetProps) {
  const [title, setTitle] = useState('')
  const [text, setText] = useState('')
  const { mutate, isPending } = useAction(studyTeaching.announce, {
    invalidates: [study.read],
    done: ({ told }) => {
      toast(m.study_announced({ count: told }))
      deleteDraft(`study.announce ${course}`)
      setTitle('')
      setText('')
      onClose()
    },
  })
  const ready = Boolean(title.trim() && text.trim())
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={m.study_announce()}
      actions={
        <Button
          wide
          busy={isPending}
          disabled={!ready}
          onClick={() => mutate({ params: { id: course }, body: { title, text } })}
        >
          {m.study_announce_send({ count: formatNumber(people) })}
        </Button>
      }
    >
      <DraftFields draft={`study.announce ${course}`} className="stack">
        <Field label={m.study_announce_title()} value={title} onValue={setTitle} maxLength={100} />
        <TextArea label={m.study_announce_text()} value={text} onValue={setText} maxLength={4000} />
      </DraftFields>
    </Sheet>
  )
}
