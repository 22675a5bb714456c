import '#domains/content/workbench/workbench-page.css'
import type { Static } from '@atrium/contract/define'
import {
  type Maintenance as MaintenanceSchema,
  maintenance,
  type ServiceHealth,
  serviceHealth,
} from '@atrium/contract/services/health'
import type { ManagedService } from '@atrium/contract/services/service-catalogue.operator'
import { parseZonedTime } from '@atrium/rules/parse-zoned-time'
import { type SubmitEvent, useState } from 'react'
import { deleteDraft } from '#lib/drafts.ts'
import { formatDayAndTime } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { useAction } from '#shell/page/action.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftForm } from '#ui/form/draft-form.tsx'
import { Field } from '#ui/form/field.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { SelectField } from '#ui/form/select.tsx'
import { TextArea } from '#ui/form/text-area.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { Pill } from '#ui/pill.tsx'
import { changed, useOnline, useWindows } from './catalogue-queries.ts'

type Window = Static<typeof MaintenanceSchema>

/** The current state of a service and its maintenance windows. */
export function HealthPart({ service }: { service: ManagedService }) {
  return (
    <div className="stack">
      <CurrentHealth service={service} />
      <Windows service={service} />
    </div>
  )
}

/** Runs a probe on request: fetching the state would return that of all services. */
function CurrentHealth({ service: { serviceId } }: { service: ManagedService }) {
  const { timeZone } = useSystem()
  const [health, setHealth] = useState<ServiceHealth>()
  const check = useAction(serviceHealth.check, {
    invalidates: changed,
    done(now) {
      setHealth(now)
      toast(m.service_catalogue_checked_now())
    },
  })
  return (
    <Card title={m.service_catalogue_state()}>
      {health ? (
        <p className="workbench-part-facts num" role="status">
          <Pill tone={health.state === 'up' ? 'green' : 'amber'}>{stateName(health.state)}</Pill>
          {health.checkedAt ? (
            <span className="muted">
              {m.service_catalogue_checked({ time: formatDayAndTime(health.checkedAt, timeZone) })}
            </span>
          ) : null}
          {health.reports > 0 ? (
            <span className="muted">{m.service_catalogue_reports({ count: health.reports })}</span>
          ) : null}
        </p>
      ) : null}
      <div className="workbench-set-actions">
        <Button
          kind="plain"
          small
          busy={check.isPending}
          onClick={() => check.mutate({ params: { serviceId } })}
        >
          {m.service_catalogue_check()}
        </Button>
      </div>
    </Card>
  )
}

function Windows({ service: { serviceId } }: { service: ManagedService }) {
  const windows = useWindows(serviceId)
  const [adding, setAdding] = useState(false)
  return (
    <Card title={m.service_catalogue_windows()}>
      <QueryView query={windows} skeleton={<Skeleton height={60} label={m.shell_loading()} />}>
        {(list) =>
          list.length === 0 ? (
            <p className="muted">{m.service_catalogue_windows_none()}</p>
          ) : (
            <ul className="workbench-set-rows">
              {list.map((window) => (
                <WindowRow key={window.id} window={window} />
              ))}
            </ul>
          )
        }
      </QueryView>
      {adding ? (
        <WindowForm serviceId={serviceId} onDone={() => setAdding(false)} />
      ) : (
        <div className="workbench-set-actions">
          <Button small onClick={() => setAdding(true)}>
            {m.service_catalogue_window_add()}
          </Button>
        </div>
      )}
    </Card>
  )
}

function WindowRow({ window: { id, startsAt, endsAt, text, textEn } }: { window: Window }) {
  const { timeZone } = useSystem()
  const remove = useAction(maintenance.remove, {
    invalidates: changed,
    done: () => toast(m.service_catalogue_window_removed()),
  })
  const time = m.health_planned({
    from: formatDayAndTime(startsAt, timeZone),
    until: formatDayAndTime(endsAt, timeZone),
  })
  return (
    <li className="workbench-set-row">
      <span className="workbench-set-words">
        <span className="num">{time}</span>
        <span className="muted workbench-set-text">{inLanguage(text, textEn)}</span>
      </span>
      <IconButton
        label={m.service_catalogue_window_remove({ time })}
        disabled={remove.isPending}
        onClick={() => remove.mutate({ params: { id } })}
      >
        <Icon name="trash" />
      </IconButton>
    </li>
  )
}

function WindowForm({ serviceId, onDone }: { serviceId: string; onDone: () => void }) {
  const { timeZone } = useSystem()
  const [from, setFrom] = useState('')
  const [until, setUntil] = useState('')
  const [text, setText] = useState('')
  const [textEn, setTextEn] = useState('')
  const [alternative, setAlternative] = useState('')
  const [error, setError] = useState('')
  const others = useOnline().data?.list.filter((one) => one.serviceId !== serviceId) ?? []
  const create = useAction(maintenance.create, {
    invalidates: changed,
    failed({ fields }) {
      if (fields.endsAt) setError(m.service_catalogue_window_bad())
      return Boolean(fields.endsAt)
    },
    done() {
      deleteDraft(`catalogue.window ${serviceId}`)
      toast(m.service_catalogue_window_saved())
      onDone()
    },
  })
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const [startsAt, endsAt] = [parseZonedTime(from, timeZone), parseZonedTime(until, timeZone)]
    if (!(endsAt > startsAt)) return setError(m.service_catalogue_window_bad())
    create.mutate({
      body: {
        serviceId,
        startsAt: new Date(startsAt).toISOString(),
        endsAt: new Date(endsAt).toISOString(),
        text,
        textEn,
        alternative: alternative || null,
      },
    })
  }
  return (
    <DraftForm
      draft={`catalogue.window ${serviceId}`}
      className="workbench-set"
      onSubmit={send}
      noValidate
    >
      <Field
        type="datetime-local"
        label={m.service_catalogue_window_from()}
        value={from}
        onValue={setFrom}
      />
      <Field
        type="datetime-local"
        label={m.service_catalogue_window_until()}
        value={until}
        onValue={(value) => {
          setError('')
          setUntil(value)
        }}
        error={error}
      />
      <TextArea
        label={m.service_catalogue_window_text()}
        value={text}
        onValue={setText}
        maxLength={200}
        rows={2}
      />
      <TextArea
        label={m.service_catalogue_window_text_en()}
        value={textEn}
        onValue={setTextEn}
        maxLength={200}
        rows={2}
      />
      {others.length > 0 ? (
        <SelectField
          label={m.service_catalogue_window_alternative()}
          value={alternative}
          onValue={setAlternative}
        >
          <option value="">{m.service_catalogue_window_no_alternative()}</option>
          {others.map((one) => (
            <option key={one.serviceId} value={one.serviceId}>
              {inLanguage(one.serviceName, one.serviceNameEn)}
            </option>
          ))}
        </SelectField>
      ) : null}
      <div className="workbench-set-actions">
        <Button type="submit" busy={create.isPending}>
          {m.service_catalogue_window_save()}
        </Button>
        <Button kind="plain" onClick={onDone}>
          {m.service_catalogue_cancel()}
        </Button>
      </div>
    </DraftForm>
  )
}

/** The state of a service as a short label. */
export function stateName(state: ServiceHealth['state']) {
  switch (state) {
    case 'up':
      return m.health_state_up()
    case 'slow':
      return m.health_state_slow()
    case 'down':
      return m.health_state_down()
    case 'dead':
      return m.health_state_dead()
    case 'maintenance':
      return m.health_state_maintenance()
    case 'unknown':
      return m.health_state_unknown()
  }
}
