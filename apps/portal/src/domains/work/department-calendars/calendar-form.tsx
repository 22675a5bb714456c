import '#domains/content/workbench/workbench-page.css'
import './department-calendars.css'
import {
  type DepartmentCalendar,
  departmentCalendars,
} from '@atrium/contract/work/department-calendars.operator'
import { type SubmitEvent, useState } from 'react'
import { AudienceField } from '#domains/content/workbench/audience-field.tsx'
import { useDepartments } from '#domains/content/workbench/workbench-queries.ts'
import { ColorField } from '#domains/work/calendars/name-and-color.tsx'
import type { ApiError } from '#lib/api.ts'
import { deleteDraft, useDraftState } from '#lib/drafts.ts'
import { inLanguage } from '#lib/language.ts'
import { randomId } from '#lib/random-id.ts'
import { m } from '#paraglide/messages.js'
import { back } from '#shell/navigation/navigation.ts'
import { useAction } from '#shell/page/action.ts'
import { Card } from '#ui/card.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftForm } from '#ui/form/draft-form.tsx'
import { Field } from '#ui/form/field.tsx'
import { SelectField } from '#ui/form/select.tsx'
import { Switch } from '#ui/form/switch.tsx'
import { changedCalendars } from './calendar-queries.ts'
import { Editors } from './editors.tsx'

type CalendarFormProps = { department: string | undefined; calendar?: DepartmentCalendar }

/** A department calendar: its name, colour and audience. */
export function CalendarForm({ department, calendar }: CalendarFormProps) {
  const departments = useDepartments().data?.departments ?? []
  // Idempotency key, sent with every attempt: a lost answer does not create a second calendar.
  const [key] = useState(randomId)
  const [chosen, setChosen] = useState(department ?? '')
  const organization = chosen || (departments[0]?.code ?? '')
  const draft = `department_calendars ${calendar?.id ?? 'new'}`
  const [fields, setFields] = useDraftState(`${draft}#fields`, {
    name: calendar?.name ?? '',
    nameEn: calendar?.nameEn ?? '',
    color: calendar?.color ?? ('teal' as const),
    audience: calendar?.audience ?? [
      { effect: 'include' as const, kind: 'everybody' as const, target: '' },
    ],
    shownToAll: calendar?.shownToAll ?? false,
    editors: calendar?.editors ?? [],
  })
  const [issues, setIssues] = useState<Record<string, string>>({})
  const set = (part: Partial<typeof fields>) => setFields((now) => ({ ...now, ...part }))
  const failed = ({ fields: fieldErrors }: ApiError) => {
    setIssues(fieldErrors)
    return Object.keys(fieldErrors).length > 0
  }
  const create = useAction(departmentCalendars.create, {
    invalidates: changedCalendars,
    failed,
    done() {
      deleteDraft(draft)
      toast(m.department_calendars_made())
      back()
    },
  })
  const update = useAction(departmentCalendars.update, {
    invalidates: changedCalendars,
    failed,
    done() {
      deleteDraft(draft)
      toast(m.department_calendars_saved())
    },
  })
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!fields.name.trim()) return setIssues({ name: m.department_calendars_needs_name() })
    if (!calendar && !organization)
      return setIssues({ organization: m.department_calendars_needs_department() })
    if (fields.audience.length === 0) return
    setIssues({})
    const body = { ...fields, editors: fields.editors.map(({ accountName }) => accountName) }
    if (calendar)
      update.mutate({ params: { id: calendar.id }, body: { ...body, revision: calendar.revision } })
    else create.mutate({ body: { key, organization, ...body } })
  }
  return (
    <Card>
      <DraftForm draft={draft} className="workbench-set" onSubmit={send} noValidate>
        <Field
          label={m.department_calendars_name()}
          value={fields.name}
          onValue={(name) => set({ name })}
          maxLength={60}
          error={issues.name ?? ''}
        />
        <Field
          label={m.department_calendars_name_en()}
          value={fields.nameEn}
          onValue={(nameEn) => set({ nameEn })}
          maxLength={60}
        />
        {calendar || departments.length < 2 ? null : (
          <SelectField
            label={m.department_calendars_department()}
            value={organization}
            onValue={setChosen}
          >
            {departments.map(({ code, name, nameEn }) => (
              <option key={code} value={code}>
                {inLanguage(name, nameEn)}
              </option>
            ))}
          </SelectField>
        )}
        {issues.organization ? (
          <p className="field-error" role="alert">
            {issues.organization}
          </p>
        ) : null}
        <ColorField color={fields.color} onColor={(color) => set({ color })} />
        <AudienceField
          label={m.department_calendars_audience()}
          value={fields.audience}
          onValue={(audience) => set({ audience })}
          error={Object.entries(issues).find(([field]) => field.startsWith('audience'))?.[1]}
        />
        <div>
          <Switch
            label={m.department_calendars_shown_to_all()}
            checked={fields.shownToAll}
            onChange={(shownToAll) => set({ shownToAll })}
          />
          <p className="muted">{m.department_calendars_shown_hint()}</p>
        </div>
        <Editors
          editors={fields.editors}
          onEditors={(editors) => set({ editors })}
          error={Object.entries(issues).find(([field]) => field.startsWith('editors'))?.[1]}
        />
        <Button type="submit" wide busy={create.isPending || update.isPending}>
          {m.department_calendars_save()}
        </Button>
        {calendar ? <Remove calendar={calendar} /> : null}
      </DraftForm>
    </Card>
  )
}

function Remove({ calendar: { id, revision, name, nameEn } }: { calendar: DepartmentCalendar }) {
  const [isConfirming, setIsConfirming] = useState(false)
  const remove = useAction(departmentCalendars.remove, {
    invalidates: changedCalendars,
    done() {
      toast(m.department_calendars_removed())
      back()
    },
  })
  return (
    <>
      <Button kind="plain" wide onClick={() => setIsConfirming(true)}>
        {m.department_calendars_remove()}
      </Button>
      <Dialog
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        title={m.department_calendars_remove_ask({ name: inLanguage(name, nameEn) })}
        actions={
          <>
            <Button kind="plain" onClick={() => setIsConfirming(false)}>
              {m.department_calendars_cancel()}
            </Button>
            <Button
              kind="danger"
              busy={remove.isPending}
              onClick={() => remove.mutate({ params: { id }, query: { revision } })}
            >
              {m.department_calendars_remove()}
            </Button>
          </>
        }
      >
        {m.department_calendars_remove_text()}
      </Dialog>
    </>
  )
}
