import { type DelegationPolicy, delegations } from '@atrium/contract/work/delegations'
import { dayIn } from '@atrium/rules/day-in'
import { useState } from 'react'
import { PersonField } from '#domains/work/forms/person-field.tsx'
import { deleteDraft, useDraftState } from '#lib/drafts.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { useAction } from '#shell/page/action.ts'
import { Card } from '#ui/card.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { DateField } from '#ui/form/date-field.tsx'
import { DraftForm } from '#ui/form/draft-form.tsx'
import { Switch } from '#ui/form/switch.tsx'
import { TextArea } from '#ui/form/text-area.tsx'

type DelegationFormProps = {
  /** source systems of the member's tasks */
  sources: readonly string[]
  policy: DelegationPolicy
  onDone: () => void
}

/** A new delegation: period, people and tasks. */
export function DelegationForm({ sources, policy, onDone }: DelegationFormProps) {
  const { timeZone } = useSystem()
  const [startsOn, setStartsOn] = useState(() => dayIn(Date.now(), timeZone))
  const [endsOn, setEndsOn] = useState('')
  const draft = 'delegations.new'
  const [people, setPeople] = useDraftState<string[]>(`${draft}#people`, [''])
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [note, setNote] = useState('')
  const [issues, setIssues] = useState<Readonly<Record<string, string>>>({})
  const { mutate, isPending } = useAction(delegations.create, {
    invalidates: [delegations.list],
    done: ({ state }) => {
      deleteDraft(draft)
      toast(state === 'active' ? m.delegations_begun() : m.delegations_waits())
      onDone()
    },
    failed: ({ fields }) => {
      setIssues(fields)
      return Object.keys(fields).length > 0
    },
  })
  const named = people.filter(Boolean)
  const error = (field: string) => (issues[field] ? { error: issues[field] } : {})
  return (
    <Card title={m.delegations_new()}>
      <DraftForm
        draft={draft}
        className="delegation-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setIssues({})
          mutate({ body: { startsOn, endsOn, people: named, sources: [...chosen], note } })
        }}
      >
        <DateField
          label={m.delegations_from()}
          value={startsOn}
          onValue={setStartsOn}
          {...error('startsOn')}
        />
        <DateField
          label={m.delegations_until()}
          value={endsOn}
          onValue={setEndsOn}
          {...error('endsOn')}
        />
        <p className="muted">
          {m.delegations_max({ days: policy.maxDays, people: policy.maxPeople })}
        </p>
        {people.map((username, at) => (
          <PersonField
            // People have no identity but their index until chosen.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            key={at}
            label={m.delegations_person()}
            value={username}
            name={undefined}
            onValue={(next) =>
              setPeople(people.map((one, index) => (index === at ? (next ?? '') : one)))
            }
            {...error(`people.${named.indexOf(username)}`)}
          />
        ))}
        {named.length === people.length && people.length < policy.maxPeople ? (
          <Button kind="plain" small onClick={() => setPeople([...people, ''])}>
            {m.delegations_person_add()}
          </Button>
        ) : null}
        {sources.length > 0 ? (
          <fieldset className="delegation-sources">
            <legend>{m.delegations_sources()}</legend>
            {sources.map((source) => (
              <Switch
                key={source}
                label={source}
                checked={chosen.has(source)}
                onChange={(on) => {
                  const next = new Set(chosen)
                  if (on) next.add(source)
                  else next.delete(source)
                  setChosen(next)
                }}
              />
            ))}
          </fieldset>
        ) : null}
        <TextArea
          label={m.delegations_note()}
          value={note}
          onValue={setNote}
          maxLength={200}
          rows={2}
        />
        <Button type="submit" wide busy={isPending} disabled={!endsOn || named.length === 0}>
          {m.delegations_begin()}
        </Button>
        <Button kind="plain" wide onClick={onDone}>
          {m.ui_cancel()}
        </Button>
      </DraftForm>
    </Card>
  )
}
