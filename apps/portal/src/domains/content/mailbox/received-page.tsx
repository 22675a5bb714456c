import './letters.css'
import '#domains/content/workbench/workbench-page.css'
import { letterConsole, type ReceivedLetter } from '@atrium/contract/content/mailbox'
import { workbench } from '@atrium/contract/content/workbench.operator'
import type { Static } from '@atrium/contract/define'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { DepartmentPicker } from '#domains/content/workbench/department-picker.tsx'
import { inDepartment } from '#domains/content/workbench/workbench-queries.ts'
import { deleteDraft } from '#lib/drafts.ts'
import { formatDayAndTime } from '#lib/format.ts'
import { inLanguage, userTextLang } from '#lib/language.ts'
import { pages } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { redirect } from '#shell/navigation/navigation.ts'
import { useAction } from '#shell/page/action.ts'
import { ListEnd } from '#shell/page/list-end.tsx'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftForm } from '#ui/form/draft-form.tsx'
import { SearchForm } from '#ui/form/search-form.tsx'
import { TextArea } from '#ui/form/text-area.tsx'
import { Pill } from '#ui/pill.tsx'
import { Tabs } from '#ui/tabs.tsx'

type Letter = Static<typeof ReceivedLetter>
type State = 'waiting' | 'answered' | 'published' | 'all'

const path = '/pages/secondWork/letters'
const changed = [letterConsole.list, letterConsole.mailboxes, workbench.read]

/** Letters to the mailboxes of a department: waiting, answered and published ones. */
export default function ReceivedPage() {
  const { department, state = 'waiting', keyWords = '' } = useSearch(path)
  // A search covers all states, since the user may not know the letter's state.
  const showsAll = state === 'all' || keyWords !== ''
  const query = useInfiniteQuery(
    pages(letterConsole.list, {
      query: {
        ...inDepartment(department),
        ...(!showsAll && { state }),
        ...(keyWords && { q: keyWords }),
      },
    }),
  )
  const updateSearch = (search: {
    department?: string | undefined
    state?: State
    keyWords?: string
  }) =>
    redirect(path, {
      department,
      state,
      ...search,
      keyWords: (search.keyWords ?? keyWords) || undefined,
    })
  return (
    <Page wide onRefresh={query.refetch}>
      <div className="column stack">
        <DepartmentPicker
          department={department}
          onChoose={(code) => updateSearch({ department: code })}
        />
        <SearchForm
          focus={false}
          label={m.mailbox_received_search()}
          keyWords={keyWords}
          onSearch={(words) => updateSearch({ keyWords: words })}
        />
        <Tabs
          variant="line"
          label={m.mailbox_received_by_state()}
          items={states().map(([value, label]) => ({ value, label }))}
          value={showsAll ? 'all' : state}
          onChange={(next) => updateSearch({ state: next, keyWords: '' })}
        >
          <QueryView
            query={query}
            skeleton={<Skeleton rows={3} height={140} label={m.shell_loading()} />}
            isEmpty={({ pages: [first] }) => first?.list.length === 0}
            empty={
              <Card>
                <Empty
                  icon="mail"
                  title={
                    keyWords
                      ? m.mailbox_received_none({ words: keyWords })
                      : m.mailbox_received_empty()
                  }
                >
                  {keyWords ? m.mailbox_received_none_hint() : m.mailbox_received_empty_hint()}
                </Empty>
              </Card>
            }
          >
            {({ pages: all }) => (
              <>
                <div className="workbench-parts letter-list">
                  {all
                    .flatMap(({ list }) => list)
                    .map((letter) => (
                      <Received key={letter.id} letter={letter} />
                    ))}
                </div>
                <ListEnd query={query} />
              </>
            )}
          </QueryView>
        </Tabs>
      </div>
    </Page>
  )
}

const states = (): [State, string][] => [
  ['waiting', m.mailbox_received_waiting()],
  ['answered', m.mailbox_received_answered()],
  ['published', m.mailbox_received_published()],
  ['all', m.mailbox_received_all()],
]

function Received({ letter }: { letter: Letter }) {
  const { timeZone } = useSystem()
  const { title, content, writer, answer, answeredAt, answeredBy, published, mayPublish } = letter
  const [writing, setWriting] = useState(false)
  return (
    <Card title={title}>
      <p className="letter-facts muted num">
        <span>{inLanguage(letter.mailboxName, letter.mailboxNameEn)}</span>
        <span>{inLanguage(writer.name, writer.nameEn)}</span>
        <span>
          <Bilingual zh={writer.organizationName} en={writer.organizationNameEn} />
        </span>
        <time dateTime={letter.createdAt}>{formatDayAndTime(letter.createdAt, timeZone)}</time>
        {published ? <Pill tone="green">{m.mailbox_received_is_published()}</Pill> : null}
      </p>
      <p className="letter-text" lang={userTextLang(content)}>
        {content}
      </p>
      {answeredAt && !writing ? (
        <div className="letter-answer">
          <p className="letter-text" lang={userTextLang(answer)}>
            {answer}
          </p>
          <p className="letter-facts muted num">
            {answeredBy ? <span>{m.mailbox_received_by({ name: answeredBy })}</span> : null}
            <time dateTime={answeredAt}>{formatDayAndTime(answeredAt, timeZone)}</time>
          </p>
        </div>
      ) : null}
      {writing ? (
        <AnswerForm letter={letter} onDone={() => setWriting(false)} />
      ) : (
        <div className="workbench-set-actions">
          <Button
            kind={answeredAt ? 'plain' : 'primary'}
            small
            aria-label={
              answeredAt
                ? m.mailbox_received_change_of({ title })
                : m.mailbox_received_answer_of({ title })
            }
            onClick={() => setWriting(true)}
          >
            {answeredAt ? m.mailbox_received_change() : m.mailbox_received_answer()}
          </Button>
          {answeredAt && mayPublish ? <Publish letter={letter} /> : null}
          <span className="muted">
            {mayPublish ? m.mailbox_received_may_publish() : m.mailbox_received_may_not()}
          </span>
        </div>
      )}
    </Card>
  )
}

function AnswerForm({
  letter: { id, revision, answer },
  onDone,
}: {
  letter: Letter
  onDone: () => void
}) {
  const [text, setText] = useState(answer)
  const [error, setError] = useState('')
  const send = useAction(letterConsole.answer, {
    invalidates: changed,
    done() {
      deleteDraft(`mailbox.answer ${id}`)
      toast(m.mailbox_received_sent())
      onDone()
    },
  })
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!text.trim()) return setError(m.mailbox_received_needs_answer())
    send.mutate({ params: { id }, body: { revision, answer: text } })
  }
  return (
    <DraftForm
      draft={`mailbox.answer ${id}`}
      className="workbench-set"
      onSubmit={submit}
      noValidate
    >
      <TextArea
        label={m.mailbox_received_answer_field()}
        value={text}
        onValue={(value) => {
          setError('')
          setText(value)
        }}
        maxLength={5000}
        rows={6}
        error={error}
      />
      <div className="workbench-set-actions">
        <Button type="submit" busy={send.isPending}>
          {m.mailbox_received_send()}
        </Button>
        <Button kind="plain" onClick={onDone}>
          {m.mailbox_received_cancel()}
        </Button>
      </div>
    </DraftForm>
  )
}

function Publish({ letter: { id, revision, published } }: { letter: Letter }) {
  const publish = useAction(letterConsole.publish, {
    invalidates: changed,
    done: (now) =>
      toast(now.published ? m.mailbox_received_is_published() : m.mailbox_received_is_hidden()),
  })
  return (
    <Button
      kind="plain"
      small
      busy={publish.isPending}
      onClick={() => publish.mutate({ params: { id }, body: { revision, published: !published } })}
    >
      {published ? m.mailbox_received_unpublish() : m.mailbox_received_publish()}
    </Button>
  )
}
