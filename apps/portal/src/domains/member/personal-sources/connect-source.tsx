import type { Endpoint } from '@atrium/contract/define'
import type { PersonalConnector, SourceKind } from '@atrium/contract/member/personal-source'
import {
  type PersonalTrial,
  personalSourceSettings,
} from '@atrium/contract/member/personal-sources.operator'
import { useState } from 'react'
import type { ApiError } from '#lib/api.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { Card } from '#ui/card.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { PasswordField } from '#ui/form/password-field.tsx'
import { TextArea } from '#ui/form/text-area.tsx'

type ConnectProps = {
  kind: SourceKind
  connector: PersonalConnector | undefined
  hasSecret: boolean
  changed: readonly Endpoint[]
}

/** Initial description of a connection. */
const empty = {
  keepMinutes: 10,
  timeoutSeconds: 5,
  by: 'number',
  way: 'http',
  http: {
    address: 'https://system.example.edu/api/{/number}',
    authentication: { kind: 'bearer' },
    owner: '/number',
    fields: {},
  },
}

/**
 * The connection to a source system, in the same JSON as on the command line; it is tested with one member before use.
 */
export function ConnectSource({ kind, connector, hasSecret, changed }: ConnectProps) {
  const [text, setText] = useState(() => JSON.stringify(connector ?? empty, null, 2))
  const [secret, setSecret] = useState('')
  const [username, setUsername] = useState('')
  const [issues, setIssues] = useState<Record<string, string>>({})
  const [trial, setTrial] = useState<PersonalTrial>()
  const failed = (error: ApiError) => {
    if (error.code === 'personal.member_unknown') setIssues({ username: error.message })
    else if (error.fields) setIssues(toFields(error.fields))
    else return false
    return true
  }
  const trySource = useAction(personalSourceSettings.try, { done: setTrial, failed })
  const connect = useAction(personalSourceSettings.connect, {
    invalidates: changed,
    failed,
    done() {
      setSecret('')
      toast(m.personal_sources_connected())
    },
  })
  /** The input; undefined with an error message if it is not valid JSON. */
  const readDescription = () => {
    setIssues({})
    try {
      return { connector: JSON.parse(text) as PersonalConnector, ...(secret && { secret }) }
    } catch {
      setIssues({ connector: m.personal_sources_no_json() })
      return undefined
    }
  }
  const startTrial = () => {
    setTrial(undefined)
    const body = readDescription()
    if (!body) return
    if (!username.trim()) return setIssues({ username: m.personal_sources_needs_member() })
    trySource.mutate({ params: { kind }, body: { username: username.trim(), ...body } })
  }
  const save = () => {
    const body = readDescription()
    if (body) connect.mutate({ params: { kind }, body })
  }
  return (
    <Card title={m.personal_sources_description()}>
      <div className="operated-source-form">
        <TextArea
          label={m.personal_sources_connector()}
          value={text}
          onValue={setText}
          maxLength={40_000}
          rows={14}
          spellCheck={false}
          {...(issues.connector && { error: issues.connector })}
        />
        <PasswordField
          label={m.personal_sources_secret()}
          name="source-secret"
          autoComplete="new-password"
          value={secret}
          onValue={setSecret}
          hint={hasSecret ? m.personal_sources_secret_kept() : m.personal_sources_secret_hint()}
          error={issues.secret}
        />
        <Field
          label={m.personal_sources_member()}
          value={username}
          onValue={setUsername}
          autoCapitalize="none"
          hint={m.personal_sources_member_hint()}
          {...(issues.username && { error: issues.username })}
        />
        <Button kind="plain" busy={trySource.isPending} onClick={startTrial}>
          {m.personal_sources_try()}
        </Button>
        {trial ? <Trial trial={trial} /> : null}
        <Button busy={connect.isPending} onClick={save}>
          {connector ? m.personal_sources_save() : m.personal_sources_connect()}
        </Button>
      </div>
    </Card>
  )
}

/** Errors inside the description are shown below it, with their path. */
function toFields(fields: Record<string, string>) {
  const { secret, username, ...inside } = fields
  const lines = Object.entries(inside).map(
    ([at, text]) => `${at.replace(/^connector\.?/, '')}: ${text}`,
  )
  return {
    ...(secret && { secret }),
    ...(username && { username }),
    ...(lines.length > 0 && { connector: lines.join('\n') }),
  }
}

function Trial({
  trial: { issue, known, milliseconds, value, problems },
}: {
  trial: PersonalTrial
}) {
  return (
    <div className="stack" role="status">
      <p className={issue ? 'operated-source-wrong' : 'num'}>
        {issue
          ? m.personal_sources_try_failed({ error: issue })
          : known
            ? m.personal_sources_try_known({ count: milliseconds })
            : m.personal_sources_try_unknown({ count: milliseconds })}
      </p>
      {problems.length > 0 ? (
        <ul>
          {problems.map(({ field, text }) => (
            <li key={field + text} className="operated-source-wrong">
              {field}: {text}
            </li>
          ))}
        </ul>
      ) : null}
      {value === null ? null : (
        <pre className="operated-source-value">{JSON.stringify(value, null, 2)}</pre>
      )}
    </div>
  )
}
