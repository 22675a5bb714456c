import './letters.css'
import { type Letter as LetterSchema, letters } from '@atrium/contract/content/mailbox'
import type { Static } from '@atrium/contract/define'
import {
  type InfiniteData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import type { ApiError } from '#lib/api.ts'
import { deleteDraft, useDraftState } from '#lib/drafts.ts'
import { formatDay, formatDayAndTime } from '#lib/format.ts'
import { inLanguage, userTextLang } from '#lib/language.ts'
import { pages, q } from '#lib/queries.ts'
import { randomId } from '#lib/random-id.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { useAction } from '#shell/page/action.ts'
import { ListEnd } from '#shell/page/list-end.tsx'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftForm } from '#ui/form/draft-form.tsx'
import { Field } from '#ui/form/field.tsx'
import { Switch } from '#ui/form/switch.tsx'
import { TextArea } from '#ui/form/text-area.tsx'
import { Pill } from '#ui/pill.tsx'
import { Tabs } from '#ui/tabs.tsx'

type Letter = Static<typeof LetterSchema>
type Part = 'own' | 'published' | 'write'

/** Letters to the departments: the member's own with the answers, and published ones. */
export default function ThroughTrainPage() {
  const [part, setPart] = useState<Part>('own')
  const ownLetters = useInfiniteQuery(pages(letters.own))
  const published = useInfiniteQuery(pages(letters.published))
  return (
    <Page onRefresh={() => Promise.all([ownLetters.refetch(), published.refetch()])}>
      <div className="column stack">
        <Tabs
          variant="segment"
          label={m.mailbox_parts()}
          items={[
            { value: 'own', label: m.mailbox_own() },
            { value: 'published', label: m.mailbox_published() },
            { value: 'write', label: m.mailbox_write() },
          ]}
          value={part}
          onChange={setPart}
        >
          {part === 'write' ? <Write onSent={() => setPart('own')} /> : null}
          {part === 'own' ? (
            <Letters
              query={ownLetters}
              empty={
                <Empty
                  icon="mail"
                  title={m.mailbox_own_empty()}
                  action={<Button onClick={() => setPart('write')}>{m.mailbox_write()}</Button>}
                >
                  {m.mailbox_own_hint()}
                </Empty>
              }
            >
              {(letter) => <OwnLetter key={letter.id} letter={letter} />}
            </Letters>
          ) : null}
          {part === 'published' ? (
            <Letters
              query={published}
              empty={
                <Empty icon="chat" title={m.mailbox_published_empty()}>
                  {m.mailbox_published_hint()}
                </Empty>
              }
            >
              {(letter) => (
                <Card key={letter.id} title={letter.title}>
                  <Facts
                    mailbox={inLanguage(letter.mailboxName, letter.mailboxNameEn)}
                    time={letter.publishedAt}
                  />
                  <p className="letter-text" lang={userTextLang(letter.content)}>
                    {letter.content}
                  </p>
                  <Answer text={letter.answer} />
                </Card>
              )}
            </Letters>
          ) : null}
        </Tabs>
      </div>
    </Page>
  )
}

type LettersProps<T> = {
  query: UseInfiniteQueryResult<InfiniteData<{ list: T[] }>>
  empty: ReactNode
  children: (letter: T) => ReactNode
}

/** A paginated list of letters. */
function Letters<T>({ query, empty, children }: LettersProps<T>) {
  return (
    <QueryView
      query={query}
      skeleton={<Skeleton rows={3} height={96} label={m.shell_loading()} />}
      isEmpty={({ pages: [first] }) => first?.list.length === 0}
      empty={<Card>{empty}</Card>}
    >
      {({ pages: all }) => (
        <div className="stack">
          {all.flatMap(({ list }) => list.map(children))}
          <ListEnd query={query} />
        </div>
      )}
    </QueryView>
  )
}

function Facts({ mailbox, time }: { mailbox: string; time: string }) {
  const { timeZone } = useSystem()
  return (
    <p className="letter-facts muted num">
      <span>{mailbox}</span>
      <time dateTime={time}>{formatDayAndTime(time, timeZone)}</time>
    </p>
  )
}

function Answer({ text, at }: { text: string; at?: string }) {
  return (
    <div className="letter-answer">
      <h3>{m.mailbox_answer()}</h3>
      {at ? (
        <p className="muted num">
          <time dateTime={at}>{formatDay(at)}</time>
        </p>
      ) : null}
      <p className="letter-text" lang={userTextLang(text)}>
        {text}
      </p>
    </div>
  )
}

function OwnLetter({ letter }: { letter: Letter }) {
  const { mutate, isPending } = useAction(letters.takeBack, {
    invalidates: [letters.own],
    done: () => toast(m.mailbox_taken_back()),
  })
  return (
    <Card
      title={letter.title}
      aside={
        letter.answeredAt ? (
          <Pill tone="green">{m.mailbox_answered()}</Pill>
        ) : (
          <Pill tone="amber">{m.mailbox_waiting()}</Pill>
        )
      }
    >
      <Facts
        mailbox={inLanguage(letter.mailboxName, letter.mailboxNameEn)}
        time={letter.createdAt}
      />
      <p className="letter-text" lang={userTextLang(letter.content)}>
        {letter.content}
      </p>
      {letter.answeredAt ? <Answer text={letter.answer} at={letter.answeredAt} /> : null}
      {letter.published ? <p className="letter-note muted">{m.mailbox_is_published()}</p> : null}
      {letter.answeredAt ? null : (
        <div className="letter-actions">
          <Button
            kind="plain"
            small
            busy={isPending}
            aria-label={m.mailbox_take_back_this({ title: letter.title })}
            onClick={() => mutate({ params: { id: letter.id } })}
          >
            {m.mailbox_take_back()}
          </Button>
        </div>
      )}
    </Card>
  )
}

function Write({ onSent }: { onSent: () => void }) {
  const mailboxes = useQuery(q(letters.mailboxes))
  return (
    <QueryView
      query={mailboxes}
      skeleton={<Skeleton height={420} label={m.shell_loading()} />}
      isEmpty={(list) => list.length === 0}
      empty={
        <Card>
          <Empty icon="mail" title={m.mailbox_no_mailbox()}>
            {m.mailbox_no_mailbox_hint()}
          </Empty>
        </Card>
      }
    >
      {(list) => <WriteForm mailboxes={list} onSent={onSent} />}
    </QueryView>
  )
}

type Mailboxes = Static<typeof letters.mailboxes.reply>

function WriteForm({ mailboxes, onSent }: { mailboxes: Mailboxes; onSent: () => void }) {
  const [mailboxId, setMailbox] = useDraftState('mailbox.letter#mailbox', '')
  const [title, setTitle] = useState('')
  const [content, setContent] = useState('')
  const [mayPublish, setMayPublish] = useState(false)
  const [issues, setIssues] = useState<Record<string, string>>({})
  // Idempotency key: on a bad network the answer may be lost after the letter has arrived.
  const [key] = useState(randomId)
  const { mutate, isPending } = useAction(letters.send, {
    invalidates: [letters.own],
    done: () => {
      deleteDraft('mailbox.letter')
      toast(m.mailbox_sent())
      onSent()
    },
    failed: (error: ApiError) => {
      setIssues(error.fields ?? {})
      return Object.keys(error.fields ?? {}).length > 0
    },
  })
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const missing = {
      ...(!mailboxId && { mailboxId: m.mailbox_choose_mailbox() }),
      ...(!title.trim() && { title: m.mailbox_needs_title() }),
      ...(!content.trim() && { content: m.mailbox_needs_text() }),
    }
    setIssues(missing)
    if (Object.keys(missing).length === 0)
      mutate({ body: { mailboxId, title, content, mayPublish, key } })
  }
  return (
    <DraftForm draft={'mailbox.letter'} className="letter-form" onSubmit={send} noValidate>
      <fieldset className="letter-mailboxes">
        <legend>{m.mailbox_to()}</legend>
        {mailboxes.map((mailbox) => (
          <label key={mailbox.id} className="letter-mailbox">
            <input
              type="radio"
              name="mailbox"
              value={mailbox.id}
              disabled={!mailbox.open}
              checked={mailboxId === mailbox.id}
              onChange={() => {
                setMailbox(mailbox.id)
                setIssues({})
              }}
            />
            <span>
              <span className="letter-mailbox-name">
                {inLanguage(mailbox.name, mailbox.nameEn)}
                {mailbox.open ? null : ` · ${m.mailbox_closed()}`}
              </span>
              <span className="muted">
                {inLanguage(mailbox.description, mailbox.descriptionEn) ||
                  inLanguage(mailbox.departmentName, mailbox.departmentNameEn)}
              </span>
            </span>
          </label>
        ))}
        {issues.mailboxId ? (
          <p className="field-error" role="alert">
            {issues.mailboxId}
          </p>
        ) : null}
      </fieldset>
      <Field
        label={m.mailbox_title_field()}
        value={title}
        onValue={(value) => {
          setTitle(value)
          setIssues({})
        }}
        maxLength={100}
        {...(issues.title && { error: issues.title })}
      />
      <TextArea
        label={m.mailbox_text_field()}
        value={content}
        onValue={(value) => {
          setContent(value)
          setIssues({})
        }}
        maxLength={2000}
        rows={8}
        {...(issues.content && { error: issues.content })}
      />
      <Switch label={m.mailbox_may_publish()} checked={mayPublish} onChange={setMayPublish} />
      <p className="muted">{m.mailbox_may_publish_note()}</p>
      <Button type="submit" wide busy={isPending}>
        {m.mailbox_send()}
      </Button>
    </DraftForm>
  )
}
