import './study-systems.css'
import {
  type StudySource,
  type StudySourceFields,
  studySources,
} from '@atrium/contract/learning/study-sources.operator'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { deleteDraft } from '#lib/drafts.ts'
import { formatDayAndTime, formatNumber } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { back } from '#shell/navigation/navigation.ts'
import { useAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { FactList } from '#ui/fact-list.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftFields } from '#ui/form/draft-form.tsx'
import { Field } from '#ui/form/field.tsx'
import { PasswordField } from '#ui/form/password-field.tsx'
import { SelectField } from '#ui/form/select.tsx'
import { Switch } from '#ui/form/switch.tsx'
import { kindName } from './labels.ts'

const changed = [studySources.list]

/** A source system of courses, assignments and marks: its state and connection; or a new one. */
export default function SourcePage() {
  const { code } = useSearch('/pages/secondWork/studySystems/source')
  const sources = useQuery({ ...q(studySources.list), refetchOnWindowFocus: false })
  return (
    <Page title={code ?? m.study_systems_source_new()} onRefresh={sources.refetch}>
      <div className="column stack">
        <QueryView
          query={sources}
          skeleton={<Skeleton rows={3} height={160} label={m.shell_loading()} />}
        >
          {(list) => {
            const source = list.find((one) => one.code === code)
            return (
              <>
                {source ? <Health source={source} /> : null}
                <Settings key={source?.code} source={source} />
                {source ? <Remove source={source} /> : null}
              </>
            )
          }}
        </QueryView>
      </div>
    </Page>
  )
}

function Health({ source }: { source: StudySource }) {
  const { timeZone } = useSystem()
  const { mutate, isPending } = useAction(studySources.read, {
    invalidates: changed,
    done: ({ error }) => toast(error || m.study_systems_read_now_done()),
  })
  const read = (force: boolean) => mutate({ params: { code: source.code }, body: { force } })
  const facts: [string, string][] = [
    [
      m.study_systems_last_read(),
      source.readAt ? formatDayAndTime(source.readAt, timeZone) : m.study_systems_never(),
    ],
    [m.study_systems_next_read(), formatDayAndTime(source.nextAt, timeZone)],
    [m.study_systems_brings(), m.study_systems_courses({ count: formatNumber(source.courses) })],
    [
      m.study_systems_last_changes(),
      m.study_systems_changes({
        added: formatNumber(source.added),
        changed: formatNumber(source.changed),
      }),
    ],
  ]
  return (
    <Card title={m.study_systems_health()}>
      <FactList of={facts} />
      {source.error ? <p className="study-system-wrong">{source.error}</p> : null}
      {source.issues.length > 0 ? (
        <details>
          <summary>{m.study_systems_issues({ count: formatNumber(source.issues.length) })}</summary>
          <ul className="study-system-issues">
            {source.issues.map((issue) => (
              <li key={issue}>{issue}</li>
            ))}
          </ul>
        </details>
      ) : null}
      <div className="study-system-form">
        <Button kind="plain" busy={isPending} onClick={() => read(false)}>
          {m.study_systems_read_now()}
        </Button>
        {source.error ? (
          <>
            <Button kind="plain" busy={isPending} onClick={() => read(true)}>
              {m.study_systems_read_force()}
            </Button>
            <p className="muted">{m.study_systems_read_force_note()}</p>
          </>
        ) : null}
      </div>
    </Card>
  )
}

type Texts = Record<
  'code' | 'name' | 'nameEn' | 'address' | 'tokenUrl' | 'clientId' | 'everyMinutes',
  string
>

function Settings({ source }: { source: StudySource | undefined }) {
  const draft = `study-systems.source:${source?.code ?? ''}`
  const [kind, setKind] = useState<StudySource['kind']>(source?.kind ?? 'oneroster')
  const [enabled, setEnabled] = useState(source?.enabled ?? true)
  const [secret, setSecret] = useState('')
  const [texts, setTexts] = useState<Texts>({
    code: source?.code ?? '',
    name: source?.name ?? '',
    nameEn: source?.nameEn ?? '',
    address: source?.address ?? '',
    tokenUrl: source?.tokenUrl ?? '',
    clientId: source?.clientId ?? '',
    everyMinutes: String(source?.everyMinutes ?? 60),
  })
  const [issues, setIssues] = useState<Record<string, string>>({})
  const { mutate, isPending } = useAction(studySources.put, {
    invalidates: changed,
    failed({ fields }) {
      if (fields) setIssues(fields)
      return Boolean(fields)
    },
    done() {
      setSecret('')
      deleteDraft(draft)
      toast(m.study_systems_saved())
      if (!source) back()
    },
  })
  const field = (
    name: keyof Texts,
    label: string,
    more: Partial<Parameters<typeof Field>[0]> = {},
  ) => (
    <Field
      label={label}
      name={name}
      value={texts[name]}
      onValue={(value) => setTexts((before) => ({ ...before, [name]: value }))}
      {...(issues[name] && { error: issues[name] })}
      {...more}
    />
  )
  const save = () => {
    const { code, everyMinutes, ...given } = texts
    const missing = (['code', 'name', 'address'] as const).filter((name) => !texts[name].trim())
    setIssues(Object.fromEntries(missing.map((name) => [name, m.study_systems_needed()])))
    if (missing.length > 0) return
    const body: StudySourceFields = {
      kind,
      ...given,
      // Clear fields that only the other kind of system has.
      ...(kind === 'moodle' && { tokenUrl: '', clientId: '' }),
      everyMinutes: Number(everyMinutes),
      enabled,
      ...(secret && { secret }),
    }
    mutate({ params: { code: code.trim() }, body })
  }
  return (
    <Card title={m.study_systems_settings()}>
      <DraftFields draft={draft} className="study-system-form">
        <SelectField
          label={m.study_systems_kind()}
          name="kind"
          value={kind}
          onValue={(value) => setKind(value as StudySource['kind'])}
        >
          {(['oneroster', 'moodle'] as const).map((one) => (
            <option key={one} value={one}>
              {kindName(one)}
            </option>
          ))}
        </SelectField>
        {source
          ? null
          : field('code', m.study_systems_code(), {
              hint: m.study_systems_code_hint(),
              autoCapitalize: 'none',
              pattern: '[a-z0-9][a-z0-9-]*',
            })}
        {field('name', m.study_systems_name())}
        {field('nameEn', m.study_systems_name_en())}
        {field('address', m.study_systems_address(), { type: 'url', inputMode: 'url' })}
        {kind === 'oneroster' ? (
          <>
            {field('tokenUrl', m.study_systems_token_url(), { type: 'url', inputMode: 'url' })}
            {field('clientId', m.study_systems_client_id(), { autoCapitalize: 'none' })}
          </>
        ) : null}
        <PasswordField
          label={kind === 'moodle' ? m.study_systems_token() : m.study_systems_secret()}
          name="study-source-secret"
          autoComplete="new-password"
          value={secret}
          onValue={setSecret}
          hint={source?.hasSecret ? m.study_systems_secret_kept() : m.study_systems_secret_hint()}
          error={issues.secret}
        />
        {field('everyMinutes', m.study_systems_every(), { type: 'number', min: 5, max: 10_080 })}
        <Switch label={m.study_systems_enabled()} checked={enabled} onChange={setEnabled} />
        <Button busy={isPending} onClick={save}>
          {m.study_systems_save()}
        </Button>
      </DraftFields>
    </Card>
  )
}

function Remove({ source }: { source: StudySource }) {
  const [isConfirming, setIsConfirming] = useState(false)
  const { mutate, isPending } = useAction(studySources.remove, {
    invalidates: changed,
    done() {
      setIsConfirming(false)
      toast(m.study_systems_removed())
      back()
    },
  })
  return (
    <>
      <Button kind="plain" wide onClick={() => setIsConfirming(true)}>
        {m.study_systems_remove()}
      </Button>
      <Dialog
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        title={m.study_systems_remove_sure({ name: inLanguage(source.name, source.nameEn) })}
        actions={
          <Button
            kind="danger"
            busy={isPending}
            onClick={() => mutate({ params: { code: source.code } })}
          >
            {m.study_systems_remove()}
          </Button>
        }
      >
        {m.study_systems_source_remove_text()}
      </Dialog>
    </>
  )
}
