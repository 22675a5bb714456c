import './calendar-exchange.css'
import { type CalendarFeed, calendarExchange } from '@atrium/contract/work/calendar-exchange'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useCalendars } from '#domains/work/calendars/calendar-queries.ts'
import { deleteDraft } from '#lib/drafts.ts'
import { formatRelativeTime } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { copyText } from '#shell/container/actions.ts'
import { useAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Facts } from '#ui/facts.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftForm } from '#ui/form/draft-form.tsx'
import { Field } from '#ui/form/field.tsx'
import { SelectField } from '#ui/form/select.tsx'

/** The address of a feed, which the server returns only once. */
type CreatedFeed = { name: string; url: string }

/** Private addresses through which a phone's or computer's own calendar reads the member's. */
export default function FeedsPage() {
  const feeds = useQuery(q(calendarExchange.feeds))
  const [created, setCreated] = useState<CreatedFeed>()
  return (
    <Page onRefresh={() => feeds.refetch()}>
      <div className="column stack">
        {created ? <Address feed={created} /> : null}
        <NewFeed onCreated={setCreated} />
        <QueryView
          query={feeds}
          skeleton={<Skeleton rows={2} height={120} label={m.shell_loading()} />}
          isEmpty={(list) => list.length === 0}
          empty={
            <Empty icon="link" title={m.calendar_exchange_no_feeds()}>
              {m.calendar_exchange_feeds_text()}
            </Empty>
          }
        >
          {(list) => (
            <ul className="stack" aria-label={m.calendar_exchange_feeds()}>
              {list.map((feed) => (
                <FeedCard key={feed.id} feed={feed} onCreated={setCreated} />
              ))}
            </ul>
          )}
        </QueryView>
      </div>
    </Page>
  )
}

function Address({ feed: { name, url } }: { feed: CreatedFeed }) {
  const webcal = url.replace(/^https?:/, 'webcal:')
  const google = `https://calendar.google.com/calendar/r?cid=${encodeURIComponent(webcal)}`
  const outlook = `https://outlook.office.com/calendar/0/addfromweb?${new URLSearchParams({ url, name })}`
  return (
    <Card title={m.calendar_exchange_address_of({ name })}>
      <p role="status">{m.calendar_exchange_address_text()}</p>
      <p className="exchange-address">{url}</p>
      <div className="exchange-actions">
        <Button onClick={() => void copyText(url)}>{m.calendar_exchange_copy()}</Button>
        <a className="button button-plain" href={webcal}>
          {m.calendar_exchange_open()}
        </a>
        <a className="button button-plain" href={google} target="_blank" rel="noreferrer">
          Google
        </a>
        <a className="button button-plain" href={outlook} target="_blank" rel="noreferrer">
          Outlook
        </a>
      </div>
    </Card>
  )
}

function NewFeed({ onCreated }: { onCreated: (created: CreatedFeed) => void }) {
  const calendars = useCalendars().data ?? []
  const [name, setName] = useState('')
  const [calendarId, setCalendarId] = useState('')
  const { mutate, isPending } = useAction(calendarExchange.createFeed, {
    invalidates: [calendarExchange.feeds],
    done({ url }, { body }) {
      onCreated({ name: body.name, url })
      deleteDraft('calendar_exchange.feed')
      setName('')
    },
  })
  return (
    <Card title={m.calendar_exchange_new_feed()}>
      <DraftForm
        draft={'calendar_exchange.feed'}
        className="exchange-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim())
            mutate({ body: { name: name.trim(), ...(calendarId && { calendarId }) } })
        }}
      >
        <Field
          label={m.calendar_exchange_feed_name()}
          hint={m.calendar_exchange_feed_name_hint()}
          value={name}
          onValue={setName}
          maxLength={60}
          required
        />
        <SelectField label={m.calendar_exchange_which()} value={calendarId} onValue={setCalendarId}>
          <option value="">{m.calendar_exchange_all()}</option>
          {calendars.map((calendar) => (
            <option key={calendar.id} value={calendar.id}>
              {inLanguage(calendar.name, calendar.nameEn)}
            </option>
          ))}
        </SelectField>
        <Button type="submit" wide disabled={!name.trim()} busy={isPending}>
          {m.calendar_exchange_make_feed()}
        </Button>
      </DraftForm>
    </Card>
  )
}

type FeedCardProps = { feed: CalendarFeed; onCreated: (created: CreatedFeed) => void }

function FeedCard({ feed, onCreated }: FeedCardProps) {
  const { id, name, calendarName, calendarNameEn, fetchedAt } = feed
  const [dialog, setDialog] = useState<'renew' | 'remove'>()
  const invalidates = [calendarExchange.feeds]
  const close = () => setDialog(undefined)
  const renew = useAction(calendarExchange.renewFeed, {
    invalidates,
    done({ url }) {
      close()
      onCreated({ name, url })
      window.scrollTo({ top: 0 })
    },
  })
  const remove = useAction(calendarExchange.removeFeed, {
    invalidates,
    done: () => toast(m.calendar_exchange_withdrawn()),
  })
  return (
    <li>
      <Card title={name}>
        <p className="muted">
          <Facts
            of={[
              inLanguage(calendarName, calendarNameEn) || m.calendar_exchange_all(),
              fetchedAt
                ? m.calendar_exchange_fetched({ ago: formatRelativeTime('messages', fetchedAt) })
                : m.calendar_exchange_not_fetched(),
            ]}
          />
        </p>
        <div className="exchange-actions">
          <Button kind="plain" small onClick={() => setDialog('renew')}>
            {m.calendar_exchange_renew()}
          </Button>
          <Button kind="plain" small onClick={() => setDialog('remove')}>
            {m.calendar_exchange_withdraw()}
          </Button>
        </div>
      </Card>
      <ConfirmDialog
        open={dialog === 'renew'}
        onClose={close}
        title={m.calendar_exchange_renew_ask({ name })}
        action={
          <Button busy={renew.isPending} onClick={() => renew.mutate({ params: { id } })}>
            {m.calendar_exchange_renew()}
          </Button>
        }
      />
      <ConfirmDialog
        open={dialog === 'remove'}
        onClose={close}
        title={m.calendar_exchange_withdraw_ask({ name })}
        action={
          <Button
            kind="danger"
            busy={remove.isPending}
            onClick={() => remove.mutate({ params: { id } })}
          >
            {m.calendar_exchange_withdraw()}
          </Button>
        }
      />
    </li>
  )
}

type ConfirmDialogProps = { open: boolean; onClose: () => void; title: string; action: ReactNode }

/** Both actions invalidate the current address. */
const ConfirmDialog = ({ open, onClose, title, action }: ConfirmDialogProps) => (
  <Dialog
    open={open}
    onClose={onClose}
    title={title}
    actions={
      <>
        <Button kind="plain" onClick={onClose}>
          {m.ui_cancel()}
        </Button>
        {action}
      </>
    }
  >
    {m.calendar_exchange_ends_text()}
  </Dialog>
)
