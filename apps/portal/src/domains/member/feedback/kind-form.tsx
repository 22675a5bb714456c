import {
  feedbackConsole,
  type ManagedFeedbackKind,
} from '@atrium/contract/member/feedback.operator'
import { type SubmitEvent, useState } from 'react'
import { useDepartments } from '#domains/content/workbench/workbench-queries.ts'
import type { ApiError } from '#lib/api.ts'
import { deleteDraft, useDraftState } from '#lib/drafts.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { back } from '#shell/navigation/navigation.ts'
import { useAction } from '#shell/page/action.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftForm } from '#ui/form/draft-form.tsx'
import { Field } from '#ui/form/field.tsx'
import { SelectField } from '#ui/form/select.tsx'
import { Switch } from '#ui/form/switch.tsx'
import { kindChangedMeanwhile, kindsChanged } from './inbox-queries.ts'

type KindFormProps = { kinds: readonly ManagedFeedbackKind[]; kind?: ManagedFeedbackKind }

/** Edits a kind of feedback: its name, and who answers. */
export function KindForm({ kinds, kind }: KindFormProps) {
  const offered = useDepartments()
  return (
    <QueryView query={offered} skeleton={<Skeleton height={480} label={m.shell_loading()} />}>
      {({ whole, departments }) => (
        <>
          <Form kinds={kinds} kind={kind} departments={departments} whole={whole} />
          {kind ? <Remove kind={kind} /> : null}
        </>
      )}
    </QueryView>
  )
}

type FormProps = {
  kinds: readonly ManagedFeedbackKind[]
  kind: ManagedFeedbackKind | undefined
  departments: readonly { code: string; name: string; nameEn: string }[]
  /** The user manages the whole institution. */
  whole: boolean
}

function Form({ kinds, kind, departments, whole }: FormProps) {
  const draft = `feedback.kind ${kind ? `${kind.id} ${kind.revision}` : 'new'}`
  const [fields, setFields] = useDraftState(`${draft}#fields`, {
    name: kind?.name ?? '',
    nameEn: kind?.nameEn ?? '',
    description: kind?.description ?? '',
    descriptionEn: kind?.descriptionEn ?? '',
    organization: kind ? kind.organization : whole ? null : (departments[0]?.code ?? null),
    toService: kind?.toService ?? false,
    online: kind?.online ?? true,
  })
  const position = kind?.position ?? Math.max(0, ...kinds.map((one) => one.position)) + 1
  const [issues, setIssues] = useState<Record<string, string>>({})
  const set = (part: Partial<typeof fields>) => setFields((now) => ({ ...now, ...part }))
  const failed = (error: ApiError) => {
    if (kindChangedMeanwhile(error)) return true
    setIssues(error.fields)
    return Object.keys(error.fields).length > 0
  }
  const create = useAction(feedbackConsole.createKind, {
    invalidates: kindsChanged,
    failed,
    done() {
      deleteDraft(draft)
      toast(m.feedback_kinds_made())
      back()
    },
  })
  const update = useAction(feedbackConsole.updateKind, {
    invalidates: kindsChanged,
    failed,
    done() {
      deleteDraft(draft)
      toast(m.feedback_kinds_saved())
    },
  })
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!fields.name.trim()) return setIssues({ name: m.feedback_kinds_needs_name() })
    setIssues({})
    const body = { ...fields, position: Math.min(position, 9999) }
    if (kind) update.mutate({ params: { id: kind.id }, body: { revision: kind.revision, ...body } })
    else create.mutate({ body })
  }
  const ownOrganization = kind?.organization
  // A kind assigned to another department still shows that department.
  const places =
    ownOrganization && !departments.some(({ code }) => code === ownOrganization)
      ? [
          ...departments,
          { code: ownOrganization, name: kind.department, nameEn: kind.departmentEn },
        ]
      : departments
  return (
    <DraftForm draft={draft} className="workbench-form" onSubmit={send} noValidate>
      <Field
        label={m.feedback_kinds_name()}
        value={fields.name}
        onValue={(name) => set({ name })}
        maxLength={30}
        error={issues.name ?? ''}
      />
      <Field
        label={m.feedback_kinds_name_en()}
        value={fields.nameEn}
        onValue={(nameEn) => set({ nameEn })}
        maxLength={60}
        error={issues.nameEn ?? ''}
      />
      <Field
        label={m.feedback_kinds_description()}
        value={fields.description}
        onValue={(description) => set({ description })}
        maxLength={200}
        hint={m.feedback_kinds_description_hint()}
        error={issues.description ?? ''}
      />
      <Field
        label={m.feedback_kinds_description_en()}
        value={fields.descriptionEn}
        onValue={(descriptionEn) => set({ descriptionEn })}
        maxLength={200}
        error={issues.descriptionEn ?? ''}
      />
      <SelectField
        label={m.feedback_kinds_department()}
        value={fields.organization ?? ''}
        onValue={(organization) => set({ organization: organization || null })}
        note={
          issues.organization ? (
            <p className="field-error" role="alert">
              {issues.organization}
            </p>
          ) : null
        }
      >
        {whole ? <option value="">{m.feedback_kinds_whole()}</option> : null}
        {places.map(({ code, name, nameEn }) => (
          <option key={code} value={code}>
            {inLanguage(name, nameEn)}
          </option>
        ))}
      </SelectField>
      <Switch
        label={m.feedback_kinds_to_service()}
        checked={fields.toService}
        onChange={(toService) => set({ toService })}
      />
      <Switch
        label={m.feedback_kinds_online()}
        checked={fields.online}
        onChange={(online) => set({ online })}
      />
      <Button type="submit" wide busy={create.isPending || update.isPending}>
        {m.feedback_kinds_save()}
      </Button>
    </DraftForm>
  )
}

function Remove({ kind: { id, name, nameEn } }: { kind: ManagedFeedbackKind }) {
  const [isConfirming, setIsConfirming] = useState(false)
  const { mutate, isPending } = useAction(feedbackConsole.removeKind, {
    invalidates: kindsChanged,
    failed() {
      setIsConfirming(false)
      return false
    },
    done() {
      toast(m.feedback_kinds_removed())
      back()
    },
  })
  return (
    <>
      <Button kind="plain" wide onClick={() => setIsConfirming(true)}>
        {m.feedback_kinds_remove()}
      </Button>
      <Dialog
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        title={m.feedback_kinds_remove_sure({ name: inLanguage(name, nameEn) })}
        actions={
          <Button kind="danger" busy={isPending} onClick={() => mutate({ params: { id } })}>
            {m.feedback_kinds_remove()}
          </Button>
        }
      >
        {m.feedback_kinds_remove_text()}
      </Dialog>
    </>
  )
}
