import './calendar-exchange.css'
import '#domains/work/schedule/event-row.css'
import {
  type CalendarSubscription,
  calendarExchange,
  maxSubscriptions,
} from '@atrium/contract/work/calendar-exchange'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { changedCalendars } from '#domains/work/calendars/calendar-queries.ts'
import { type Color, NameAndColor } from '#domains/work/calendars/name-and-color.tsx'
import { formatNumber, formatRelativeTime } from '#lib/format.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Facts } from '#ui/facts.tsx'
import { Dialog, Sheet } from '#ui/feedback/dialog.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { Pill } from '#ui/pill.tsx'

const changed = [calendarExchange.subscriptions, ...changedCalendars]

/** External calendars whose events the schedule shows. */
export default function SubscriptionsPage() {
  const list = useQuery(q(calendarExchange.subscriptions))
  const full = (list.data?.length ?? 0) >= maxSubscriptions
  return (
    <Page onRefresh={() => list.refetch()}>
      <div className="column stack">
        {full ? (
          <p className="muted">{m.calendar_exchange_full({ count: maxSubscriptions })}</p>
        ) : (
          <NewSubscription />
        )}
        <QueryView
          query={list}
          skeleton={<Skeleton rows={2} height={140} label={m.shell_loading()} />}
          isEmpty={(found) => found.length === 0}
          empty={
            <Empty icon="globe" title={m.calendar_exchange_no_subscriptions()}>
              {m.calendar_exchange_subscriptions_text()}
            </Empty>
          }
        >
          {(found) => (
            <ul className="stack" aria-label={m.calendar_exchange_subscriptions()}>
              {found.map((subscription) => (
                <SubscriptionCard key={subscription.id} subscription={subscription} />
              ))}
            </ul>
          )}
        </QueryView>
      </div>
    </Page>
  )
}

function NewSubscription() {
  const [address, setAddress] = useState('')
  const [name, setName] = useState('')
  const [issue, setIssue] = useState('')
  const { mutate, isPending } = useAction(calendarExchange.subscribe, {
    invalidates: changed,
    done({ message, events }) {
      // A calendar that cannot be fetched is listed below with the reason and retried.
      toast(message || m.calendar_exchange_subscribed({ count: formatNumber(events) }))
      setAddress('')
      setName('')
    },
    failed(error) {
      if (error.code !== 'request.invalid' && error.code !== 'subscription.known') return false
      setIssue(error.fields?.address ?? error.message)
      return true
    },
  })
  const ready = address.trim() !== '' && name.trim() !== ''
  return (
    <Card title={m.calendar_exchange_subscribe()}>
      <form
        className="exchange-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (ready) mutate({ body: { address: address.trim(), name: name.trim() } })
        }}
      >
        <Field
          label={m.calendar_exchange_address()}
          hint={m.calendar_exchange_address_hint()}
          value={address}
          onValue={(value) => {
            setAddress(value)
            setIssue('')
          }}
          inputMode="url"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={2000}
          error={issue}
        />
        <Field label={m.calendar_exchange_name()} value={name} onValue={setName} maxLength={60} />
        <Button type="submit" wide disabled={!ready} busy={isPending}>
          {m.calendar_exchange_add()}
        </Button>
      </form>
    </Card>
  )
}

function SubscriptionCard({ subscription }: { subscription: CalendarSubscription }) {
  const { id, name, color, address, events, leftOut, succeededAt, message } = subscription
  const [open, setOpen] = useState<'change' | 'remove'>()
  const close = () => setOpen(undefined)
  const fetchNow = useAction(calendarExchange.refreshSubscription, {
    invalidates: changed,
    done: ({ message }) => toast(message || m.calendar_exchange_is_fetched()),
  })
  const remove = useAction(calendarExchange.unsubscribe, {
    invalidates: changed,
    done: () => toast(m.calendar_exchange_unsubscribed()),
  })
  return (
    <li>
      <Card>
        <div className={`exchange-head event-${color}`}>
          <span className="calendar-swatch" />
          <h2>{name}</h2>
          {message ? <Pill tone="orange">{m.calendar_exchange_failing()}</Pill> : null}
        </div>
        <p className="muted exchange-source">{address}</p>
        {message ? <p className="field-error">{message}</p> : null}
        <p className="muted">
          <Facts
            of={[
              m.calendars_events({ count: formatNumber(events) }),
              leftOut > 0 && m.calendar_exchange_left_out({ count: formatNumber(leftOut) }),
              succeededAt
                ? m.calendar_exchange_updated({ ago: formatRelativeTime('messages', succeededAt) })
                : m.calendar_exchange_never_updated(),
            ]}
          />
        </p>
        <div className="exchange-actions">
          <Button
            kind="plain"
            small
            busy={fetchNow.isPending}
            onClick={() => fetchNow.mutate({ params: { id } })}
          >
            {m.calendar_exchange_refresh()}
          </Button>
          <Button kind="plain" small onClick={() => setOpen('change')}>
            {m.calendar_exchange_change()}
          </Button>
          <Button kind="plain" small onClick={() => setOpen('remove')}>
            {m.calendar_exchange_remove()}
          </Button>
        </div>
      </Card>
      {open === 'change' ? <ChangeSheet subscription={subscription} onClose={close} /> : null}
      <Dialog
        open={open === 'remove'}
        onClose={close}
        title={m.calendar_exchange_remove_ask({ name })}
        actions={
          <>
            <Button kind="plain" onClick={close}>
              {m.ui_cancel()}
            </Button>
            <Button
              kind="danger"
              busy={remove.isPending}
              onClick={() => remove.mutate({ params: { id } })}
            >
              {m.calendar_exchange_remove()}
            </Button>
          </>
        }
      >
        {m.calendar_exchange_remove_text()}
      </Dialog>
    </li>
  )
}

type ChangeSheetProps = { subscription: CalendarSubscription; onClose: () => void }

function ChangeSheet({ subscription, onClose }: ChangeSheetProps) {
  const [name, setName] = useState(subscription.name)
  const [color, setColor] = useState<Color>(subscription.color)
  const { mutate, isPending } = useAction(calendarExchange.changeSubscription, {
    invalidates: changed,
    done: onClose,
  })
  return (
    <Sheet open onClose={onClose} title={m.calendar_exchange_change()}>
      <form
        className="exchange-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim())
            mutate({ params: { id: subscription.id }, body: { name: name.trim(), color } })
        }}
      >
        <NameAndColor name={name} onName={setName} color={color} onColor={setColor} />
        <Button type="submit" wide disabled={!name.trim()} busy={isPending}>
          {m.calendars_save()}
        </Button>
      </form>
    </Sheet>
  )
}
