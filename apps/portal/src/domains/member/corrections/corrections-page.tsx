import './corrections.css'
import { type Correction, correctable, corrections } from '@atrium/contract/member/corrections'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { deleteDraft } from '#lib/drafts.ts'
import { formatDayAndTime } from '#lib/format.ts'
import { userTextLang } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftForm } from '#ui/form/draft-form.tsx'
import { Field } from '#ui/form/field.tsx'
import { SelectField } from '#ui/form/select.tsx'
import { TextArea } from '#ui/form/text-area.tsx'
import { Pill } from '#ui/pill.tsx'

type FieldName = Correction['field']

/** Requests corrections of data that the member cannot change, and shows the member's requests. */
export default function CorrectionsPage() {
  const ownCorrections = useQuery(q(corrections.list))
  return (
    <Page onRefresh={ownCorrections.refetch}>
      <div className="column stack">
        <NewRequest />
        <QueryView
          query={ownCorrections}
          skeleton={<Skeleton height={120} label={m.shell_loading()} />}
          isEmpty={(list) => list.length === 0}
          empty={null}
        >
          {(list) => (
            <Card title={m.corrections_own()}>
              <ul className="corrections-list">
                {list.map((one) => (
                  <CorrectionRow key={one.id} correction={one} />
                ))}
              </ul>
            </Card>
          )}
        </QueryView>
      </div>
    </Page>
  )
}

const names: Record<FieldName, () => string> = {
  name: () => m.personal_name(),
  nameEn: () => m.personal_name_en(),
  number: () => m.corrections_number(),
  identity: () => m.personal_identity(),
  organization: () => m.personal_organization(),
  mobile: () => m.personal_mobile(),
  email: () => m.personal_email(),
  other: () => m.corrections_other(),
}

function NewRequest() {
  const search = useSearch('/pages/myInfo/correct')
  const [field, choose] = useState<FieldName>(
    correctable.find((one) => one === search.field) ?? 'name',
  )
  const [value, setValue] = useState('')
  const [note, setNote] = useState('')
  const [error, setError] = useState('')
  const request = useAction(corrections.request, {
    invalidates: [corrections.list],
    done() {
      deleteDraft('corrections.request')
      setValue('')
      setNote('')
      toast(m.corrections_sent())
    },
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!value.trim()) return setError(m.corrections_value_missing())
    request.mutate({ body: { field, value, note } })
  }
  return (
    <Card>
      <DraftForm draft={'corrections.request'} className="stack" noValidate onSubmit={send}>
        <p className="muted">{m.corrections_hint()}</p>
        <SelectField
          label={m.corrections_field()}
          value={field}
          onValue={(next) => choose(next as FieldName)}
        >
          {correctable.map((one) => (
            <option key={one} value={one}>
              {names[one]()}
            </option>
          ))}
        </SelectField>
        <Field
          label={m.corrections_value()}
          value={value}
          maxLength={200}
          error={error}
          onValue={(next) => {
            setValue(next)
            setError('')
          }}
        />
        <TextArea label={m.corrections_note()} value={note} onValue={setNote} />
        <Button wide type="submit" busy={request.isPending}>
          {m.corrections_send()}
        </Button>
      </DraftForm>
    </Card>
  )
}

const tones = { waiting: 'amber', done: 'green', refused: 'orange', withdrawn: 'blue' } as const
const states = {
  waiting: () => m.corrections_waiting(),
  done: () => m.corrections_done(),
  refused: () => m.corrections_refused(),
  withdrawn: () => m.corrections_withdrawn(),
}

function CorrectionRow({ correction }: { correction: Correction }) {
  const withdraw = useAction(corrections.withdraw, { invalidates: [corrections.list] })
  return (
    <li>
      <div className="corrections-line">
        <b>{names[correction.field]()}</b>
        <Pill tone={tones[correction.status]}>{states[correction.status]()}</Pill>
      </div>
      <p className="corrections-value" lang={userTextLang(correction.value)}>
        {correction.value}
      </p>
      {correction.answer ? <p>{m.corrections_answer({ answer: correction.answer })}</p> : null}
      <p className="muted num">
        {formatDayAndTime(correction.decidedAt ?? correction.requestedAt)}
      </p>
      {correction.status === 'waiting' ? (
        <Button
          small
          kind="plain"
          busy={withdraw.isPending}
          onClick={() => withdraw.mutate({ params: { id: correction.id } })}
        >
          {m.corrections_withdraw()}
        </Button>
      ) : null}
    </li>
  )
}
