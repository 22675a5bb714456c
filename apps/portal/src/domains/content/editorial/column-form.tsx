import './workbench.css'
import { newsConsole } from '@atrium/contract/content/editorial.operator'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { AudienceField } from '#domains/content/workbench/audience-field.tsx'
import { inDepartment, useDepartments } from '#domains/content/workbench/workbench-queries.ts'
import type { ApiError } from '#lib/api.ts'
import { deleteDraft, useDraftState } from '#lib/drafts.ts'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { back } from '#shell/navigation/navigation.ts'
import { useAction } from '#shell/page/action.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftForm } from '#ui/form/draft-form.tsx'
import { Field } from '#ui/form/field.tsx'
import { SelectField } from '#ui/form/select.tsx'
import { Switch } from '#ui/form/switch.tsx'
import { ReviewersField } from './reviewers-field.tsx'
import { type Column, changedColumns } from './workbench-queries.ts'

type ColumnFormProps = {
  department: string | undefined
  columns: readonly Column[]
  column?: Column
}

/** Form for a column; a new one also gets a code. */
export function ColumnForm({ department, columns, column }: ColumnFormProps) {
  const offered = useDepartments()
  return (
    <QueryView query={offered} skeleton={<Skeleton height={480} label={m.shell_loading()} />}>
      {({ whole, departments }) => (
        <>
          <Form
            columns={columns}
            column={column}
            departments={departments}
            whole={whole}
            first={department ?? (whole ? '' : (departments[0]?.code ?? ''))}
          />
          {column ? <Editors organization={column.organization ?? undefined} /> : null}
          {column ? <ReviewersField key={column.id} columnId={column.id} /> : null}
        </>
      )}
    </QueryView>
  )
}

type ParentColumn = { code: string; name: string; nameEn: string }
type FormProps = Omit<ColumnFormProps, 'department' | 'column'> & {
  column: Column | undefined
  departments: readonly ParentColumn[]
  whole: boolean
  /** initial department of a new column */
  first: string
}

function Form({ columns, column, departments, whole, first }: FormProps) {
  const draft = `editorial.column ${column?.id ?? 'new'}`
  const [code, setCode] = useState('')
  const [fields, setFields] = useDraftState(`${draft}#fields`, {
    name: column?.name ?? '',
    nameEn: column?.nameEn ?? '',
    parentId: column?.parentId ?? null,
    organization: column ? column.organization : first || null,
    audience: column?.audience ?? [
      { effect: 'include' as const, kind: 'everybody' as const, target: '' },
    ],
    enabled: column?.enabled ?? true,
  })
  const [issues, setIssues] = useState<Record<string, string>>({})
  const set = (part: Partial<typeof fields>) => setFields((now) => ({ ...now, ...part }))
  const failed = (error: ApiError) => {
    const fieldErrors = error.code === 'news.column_taken' ? { code: error.message } : error.fields
    setIssues(fieldErrors)
    return Object.keys(fieldErrors).length > 0
  }
  const create = useAction(newsConsole.createColumn, {
    invalidates: changedColumns,
    failed,
    done() {
      deleteDraft(draft)
      toast(m.editorial_columns_made())
      back()
    },
  })
  const update = useAction(newsConsole.updateColumn, {
    invalidates: changedColumns,
    failed,
    done() {
      deleteDraft(draft)
      toast(m.editorial_columns_saved())
    },
  })
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!fields.name.trim()) return setIssues({ name: m.editorial_columns_needs_name() })
    if (!column && !code.trim()) return setIssues({ code: m.editorial_columns_needs_code() })
    if (fields.audience.length === 0) return
    setIssues({})
    // Not a field of the form: the column may have been moved in the list beside it.
    const position = column?.position ?? Math.max(0, ...columns.map((one) => one.position)) + 1
    if (column) update.mutate({ params: { id: column.id }, body: { ...fields, position } })
    else create.mutate({ body: { code: code.trim(), ...fields, position } })
  }
  const above = columns.filter(({ id, parentId }) => parentId === null && id !== column?.id)
  const places =
    fields.organization && !departments.some((one) => one.code === fields.organization)
      ? [...departments, { code: fields.organization, name: fields.organization, nameEn: '' }]
      : departments
  return (
    <DraftForm draft={draft} className="workbench-form" onSubmit={send} noValidate>
      <Field
        label={m.editorial_columns_name()}
        value={fields.name}
        onValue={(name) => set({ name })}
        maxLength={60}
        error={issues.name ?? ''}
      />
      <Field
        label={m.editorial_columns_name_en()}
        value={fields.nameEn}
        onValue={(nameEn) => set({ nameEn })}
        maxLength={60}
      />
      {column ? null : (
        <Field
          label={m.editorial_columns_code()}
          value={code}
          onValue={setCode}
          maxLength={60}
          autoCapitalize="none"
          hint={m.editorial_columns_code_hint()}
          error={issues.code ?? ''}
        />
      )}
      {places.length > 1 || whole ? (
        <SelectField
          label={m.editorial_columns_department()}
          value={fields.organization ?? ''}
          onValue={(organization) => set({ organization: organization || null })}
        >
          {whole ? <option value="">{m.editorial_columns_whole()}</option> : null}
          {places.map(({ code: place, name, nameEn }) => (
            <option key={place} value={place}>
              {inLanguage(name, nameEn)}
            </option>
          ))}
        </SelectField>
      ) : null}
      {above.length > 0 ? (
        <SelectField
          label={m.editorial_columns_parent()}
          value={fields.parentId ?? ''}
          onValue={(parentId) => set({ parentId: parentId || null })}
        >
          <option value="">{m.editorial_columns_no_parent()}</option>
          {above.map(({ id, name, nameEn }) => (
            <option key={id} value={id}>
              {inLanguage(name, nameEn)}
            </option>
          ))}
        </SelectField>
      ) : null}
      <AudienceField
        label={m.editorial_columns_audience()}
        value={fields.audience}
        onValue={(audience) => set({ audience })}
        error={Object.entries(issues).find(([field]) => field.startsWith('audience'))?.[1]}
      />
      <div>
        <Switch
          label={m.editorial_columns_enabled()}
          checked={fields.enabled}
          onChange={(enabled) => set({ enabled })}
        />
        <p className="muted">{m.editorial_columns_enabled_hint()}</p>
      </div>
      <Button type="submit" wide busy={create.isPending || update.isPending}>
        {m.editorial_save()}
      </Button>
      {column && column.articles === 0 ? <Remove column={column} /> : null}
    </DraftForm>
  )
}

function Remove({ column: { id, name, nameEn } }: { column: Column }) {
  const [isConfirming, setIsConfirming] = useState(false)
  const remove = useAction(newsConsole.removeColumn, {
    invalidates: changedColumns,
    failed() {
      setIsConfirming(false)
      return false
    },
    done() {
      toast(m.editorial_columns_removed())
      back()
    },
  })
  return (
    <>
      <Button kind="danger" wide onClick={() => setIsConfirming(true)}>
        {m.editorial_columns_remove()}
      </Button>
      <Dialog
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        title={m.editorial_columns_remove_ask({ name: inLanguage(name, nameEn) })}
        actions={
          <>
            <Button kind="plain" onClick={() => setIsConfirming(false)}>
              {m.editorial_cancel()}
            </Button>
            <Button
              kind="danger"
              busy={remove.isPending}
              onClick={() => remove.mutate({ params: { id } })}
            >
              {m.editorial_columns_remove()}
            </Button>
          </>
        }
      >
        {m.editorial_columns_remove_text()}
      </Dialog>
    </>
  )
}

/** The writers and reviewers of the column. */
function Editors({ organization }: { organization: string | undefined }) {
  const editors = useQuery(q(newsConsole.editors, { query: inDepartment(organization) }))
  return (
    <Card title={m.editorial_columns_editors()}>
      <p className="muted">{m.editorial_columns_editors_note()}</p>
      <QueryView
        query={editors}
        skeleton={<Skeleton height={60} label={m.shell_loading()} />}
        isEmpty={(list) => list.length === 0}
        empty={<p className="muted">{m.editorial_columns_editors_none()}</p>}
      >
        {(list) => (
          <ul className="workbench-set-rows">
            {list.map(({ name, nameEn, organization: place }) => (
              <li key={`${name} ${place}`} className="workbench-set-row">
                <span>{inLanguage(name, nameEn)}</span>
                {place === null ? (
                  <span className="muted">{m.editorial_columns_editors_all()}</span>
                ) : null}
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </Card>
  )
}
