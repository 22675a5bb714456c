import './applications.css'
import {
  type Application,
  type ApplicationBlank,
  applications,
} from '@atrium/contract/work/applications'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { FormFields } from '#domains/work/forms/form-fields.tsx'
import { ApiError, call } from '#lib/api.ts'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { back, redirect } from '#shell/navigation/navigation.ts'
import { useAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import ApplicationsPage from './applications-page.tsx'
import { changedApplications, type SaveState, useFormState } from './form-state.ts'

const path = '/msgCenter/pages/task/apply'

/** Fills in a form: a new application, a draft, or a returned one. */
export default function ApplyPage() {
  const { code, id } = useSearch(path)
  if (id) return <ContinuedApplication id={id} />
  return code ? <New code={code} /> : <ApplicationsPage />
}

const skeleton = () => <Skeleton height={480} label={m.shell_loading()} />

function New({ code }: { code: string }) {
  const blank = useQuery(q(applications.blank, { params: { code } }))
  const { data } = blank
  return (
    <Page title={data && inLanguage(data.name, data.nameEn)}>
      <div className="column stack">
        <QueryView query={blank} skeleton={skeleton()}>
          {(data) => <ApplicationForm blank={data} />}
        </QueryView>
      </div>
    </Page>
  )
}

function ContinuedApplication({ id }: { id: string }) {
  // Not refetched on focus: the member's input is newer than any later answer.
  const application = useQuery({
    ...q(applications.read, { params: { id } }),
    refetchOnWindowFocus: false,
  })
  const { data } = application
  return (
    <Page title={data && inLanguage(data.blank.name, data.blank.nameEn)}>
      <div className="column stack">
        <QueryView query={application} skeleton={skeleton()}>
          {(data) => <ApplicationForm key={data.id} blank={data.blank} application={data} />}
        </QueryView>
      </div>
    </Page>
  )
}

type FormProps = { blank: ApplicationBlank; application?: Application }

function ApplicationForm({ blank: initialBlank, application }: FormProps) {
  const [blank, setBlank] = useState(initialBlank)
  const form = useFormState(blank, application)
  const [busy, setBusy] = useState(false)
  const box = useRef<HTMLFormElement>(null)
  const names = {
    people: new Map(Object.entries(application?.people ?? {})),
    files: new Map(application?.files.map(({ id, name }) => [id, name])),
  }
  async function submit() {
    const answer = await form.submit()
    if (!(answer instanceof ApiError)) {
      toast(m.applications_is_submitted())
      return redirect('/msgCenter/pages/task/applicationDetail', { id: answer.id })
    }
    if (answer.code === 'application.form_changed') {
      const now = await call(applications.blank, { params: { code: blank.code } }).catch(() => null)
      if (now) setBlank(now)
    }
    if (answer.code !== 'request.invalid') return toast(answer.message)
    toast(m.applications_check())
    requestAnimationFrame(() =>
      box.current?.querySelector<HTMLElement>('[aria-invalid], .field-error')?.scrollIntoView({
        block: 'center',
      }),
    )
  }
  const open = !application || application.status === 'draft' || application.status === 'returned'
  return (
    <form
      ref={box}
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      {application?.status === 'returned' ? (
        <Card>
          <p className="application-note" role="status">
            {application.comment
              ? m.applications_returned_because({ reason: application.comment })
              : m.applications_returned_text()}
          </p>
        </Card>
      ) : null}
      {application?.hasChanged ? (
        <Card>
          <p className="application-note" role="status">
            {m.applications_form_changed()}
          </p>
        </Card>
      ) : null}
      <Card>
        <div className="application-form">
          <FormFields
            schema={blank.schema}
            data={form.data}
            names={names}
            issues={form.issues}
            onChange={form.change}
            onBusy={setBusy}
          />
        </div>
      </Card>
      <Card title={m.applications_steps()}>
        <ol className="application-steps">
          {blank.steps.map(({ name, nameEn }) => (
            <li key={name}>{inLanguage(name, nameEn)}</li>
          ))}
        </ol>
      </Card>
      {open ? (
        <>
          <p className="muted application-state" role="status">
            {saveStateText(form.state)}
          </p>
          <Button type="submit" wide busy={form.submitting} disabled={busy}>
            {application?.status === 'returned'
              ? m.applications_submit_again()
              : m.applications_submit()}
          </Button>
        </>
      ) : (
        <p className="muted">{m.applications_over()}</p>
      )}
      {application?.status === 'draft' ? <RemoveDraft id={application.id} /> : null}
    </form>
  )
}

function saveStateText(state: SaveState) {
  switch (state) {
    case 'none':
      return ''
    case 'saving':
      return m.applications_saving()
    case 'saved':
      return m.applications_saved()
    case 'failed':
      return m.applications_not_saved()
  }
}

function RemoveDraft({ id }: { id: string }) {
  const [isConfirming, setIsConfirming] = useState(false)
  const { mutate, isPending } = useAction(applications.remove, {
    invalidates: changedApplications,
    done: () => {
      toast(m.applications_is_removed())
      back()
    },
  })
  return (
    <>
      <Button kind="plain" wide onClick={() => setIsConfirming(true)}>
        {m.applications_remove()}
      </Button>
      <Dialog
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        title={m.applications_remove_ask()}
        actions={
          <>
            <Button kind="plain" onClick={() => setIsConfirming(false)}>
              {m.ui_cancel()}
            </Button>
            <Button kind="danger" busy={isPending} onClick={() => mutate({ params: { id } })}>
              {m.applications_remove()}
            </Button>
          </>
        }
      />
    </>
  )
}
