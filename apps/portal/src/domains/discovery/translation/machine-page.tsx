import './machine-page.css'
import { translatable } from '@atrium/contract/discovery/translation'
import {
  type TranslationService,
  translationConsole,
} from '@atrium/contract/discovery/translation.operator'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { deleteDraft } from '#lib/drafts.ts'
import { formatNumber } from '#lib/format.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftFields } from '#ui/form/draft-form.tsx'
import { Field } from '#ui/form/field.tsx'
import { PasswordField } from '#ui/form/password-field.tsx'
import { SelectField } from '#ui/form/select.tsx'
import { Switch } from '#ui/form/switch.tsx'

const draft = 'translation.machine'

/** Settings of the translation service: its address, what may be sent, the quota, and a connection test. */
export default function MachinePage() {
  const machine = useQuery({ ...q(translationConsole.read), refetchOnWindowFocus: false })
  return (
    <Page onRefresh={machine.refetch}>
      <div className="column stack">
        <QueryView
          query={machine}
          skeleton={<Skeleton rows={3} height={200} label={m.shell_loading()} />}
        >
          {(now) => (
            <>
              {now.address ? <Trial machine={now} /> : null}
              <Settings machine={now} />
            </>
          )}
        </QueryView>
      </div>
    </Page>
  )
}

function Trial({ machine }: { machine: TranslationService }) {
  const { mutate, isPending, data } = useAction(translationConsole.test)
  return (
    <Card title={m.translation_state()}>
      <div className="translation-machine">
        <p>
          {machine.enabled ? m.translation_is_on() : m.translation_is_off()}
          {' · '}
          {m.translation_today({ count: formatNumber(machine.charactersToday) })}
        </p>
        <Button kind="plain" busy={isPending} onClick={() => mutate({ body: {} })}>
          {m.translation_try()}
        </Button>
        <p role="status" className="translation-trial">
          {data ? (data.works ? m.translation_works({ text: data.text ?? '' }) : data.reason) : ''}
        </p>
      </div>
    </Card>
  )
}

const limits = ['maxCharacters', 'dailyPerMember', 'dailyCharacters', 'seconds'] as const
const labels: Record<(typeof limits)[number], () => string> = {
  maxCharacters: m.translation_max_characters,
  dailyPerMember: m.translation_daily_per_member,
  dailyCharacters: m.translation_daily,
  seconds: m.translation_seconds,
}
const kindNames: Record<(typeof translatable)[number], () => string> = {
  article: m.translation_articles,
  message: m.translation_messages,
}
type Limits = Record<(typeof limits)[number], string>

function Settings({ machine }: { machine: TranslationService }) {
  const [fields, setFields] = useState(machine)
  const [texts, setTexts] = useState(
    () => Object.fromEntries(limits.map((name) => [name, String(machine[name])])) as Limits,
  )
  const [key, setKey] = useState('')
  const [issues, setIssues] = useState<Record<string, string>>({})
  const set = (change: Partial<TranslationService>) =>
    setFields((before) => ({ ...before, ...change }))
  const update = useAction(translationConsole.update, {
    invalidates: [translationConsole.read],
    done() {
      deleteDraft(draft)
      setKey('')
      setIssues({})
      toast(m.translation_saved())
    },
    failed({ fields }) {
      if (fields) setIssues(fields)
      return Boolean(fields)
    },
  })
  const save = () => {
    const { hasKey: _, charactersToday: __, ...editable } = fields
    const numbers = Object.fromEntries(limits.map((name) => [name, Number(texts[name])]))
    update.mutate({
      body: { ...editable, ...(numbers as Record<keyof Limits, number>), ...(key && { key }) },
    })
  }
  return (
    <Card title={m.translation_settings()}>
      <DraftFields draft={draft} className="translation-machine">
        <Field
          label={m.translation_address()}
          name="address"
          type="url"
          inputMode="url"
          value={fields.address}
          onValue={(address) => set({ address })}
          hint={m.translation_address_hint()}
          {...(issues.address && { error: issues.address })}
        />
        <PasswordField
          label={m.translation_key()}
          name="translation-key"
          autoComplete="new-password"
          value={key}
          onValue={setKey}
          hint={machine.hasKey ? m.translation_key_kept() : m.translation_key_hint()}
          error={issues.key}
        />
        <fieldset className="translation-machine">
          <legend>{m.translation_kinds()}</legend>
          {translatable.map((kind) => (
            <Switch
              key={kind}
              label={kindNames[kind]()}
              checked={fields.kinds.includes(kind)}
              onChange={(on) =>
                set({
                  kinds: translatable.filter((one) =>
                    one === kind ? on : fields.kinds.includes(one),
                  ),
                })
              }
            />
          ))}
        </fieldset>
        {limits.map((name) => (
          <Field
            key={name}
            label={labels[name]()}
            name={name}
            type="number"
            inputMode="numeric"
            min={0}
            value={texts[name]}
            onValue={(value) => setTexts((before) => ({ ...before, [name]: value }))}
            {...(issues[name] && { error: issues[name] })}
          />
        ))}
        <SelectField
          label={m.translation_chinese()}
          name="chinese"
          value={fields.chinese}
          onValue={(chinese) => set({ chinese: chinese as TranslationService['chinese'] })}
        >
          {['zh', 'zh-Hans', 'zh-CN'].map((code) => (
            <option key={code}>{code}</option>
          ))}
        </SelectField>
        <Switch
          label={m.translation_enabled()}
          checked={fields.enabled}
          onChange={(enabled) => set({ enabled })}
        />
        <Button busy={update.isPending} onClick={save}>
          {m.translation_save()}
        </Button>
      </DraftFields>
    </Card>
  )
}
