import './robot.css'
import { robot } from '@atrium/contract/discovery/robot'
import { useQuery } from '@tanstack/react-query'
import {
  type KeyboardEvent,
  type ReactNode,
  type SubmitEvent,
  useEffect,
  useRef,
  useState,
} from 'react'
import { deleteDraft } from '#lib/drafts.ts'
import { inLanguage, userTextLang } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { QueryView } from '#shell/page/query-view.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftForm } from '#ui/form/draft-form.tsx'
import { DeskBar } from './desk-bar.tsx'
import { LineRating, LineView } from './line-view.tsx'
import { useChat } from './use-chat.ts'

type ChatViewProps = {
  dialogId: string | undefined
  /** sent immediately */
  question?: string | undefined
  welcome: string
  /**
   * Called when a first question has started a dialog; its id goes into the address, so that coming back restores it.
   */
  onDialog: (dialogId: string) => void
  /** a language model writes the answers */
  assistant?: boolean
  /** shown above the conversation */
  about?: ReactNode
}

/** A conversation with the robot, or with the agent who took it over. */
export function ChatView({
  dialogId: first,
  question,
  welcome,
  onDialog,
  assistant = false,
  about,
}: ChatViewProps) {
  const chat = useChat(first, assistant, onDialog)
  const { dialogId, dialog, lines, pending, failed, ask, query } = chat
  const asked = useRef(false)
  useEffect(() => {
    if (!question || asked.current) return
    asked.current = true
    void ask(question)
  }, [question, ask])
  const end = useRef<HTMLDivElement>(null)
  const count = lines.length + (pending ? 1 : 0)
  useEffect(() => {
    if (count > 0) end.current?.scrollIntoView({ block: 'end' })
  }, [count])
  const written = (pending?.parts.length ?? 0) + (pending?.text.length ?? 0)
  // A growing answer does not pull down those who read its beginning.
  useEffect(() => {
    const top = end.current?.getBoundingClientRect().top ?? 0
    if (written > 0 && top < innerHeight + 120) end.current?.scrollIntoView({ block: 'end' })
  }, [written])
  const conversation = useRef<HTMLDivElement>(null)
  /** The suggestion that was pressed disappears. */
  const askSuggestion = (suggested: string) => {
    conversation.current?.focus({ preventScroll: true })
    return ask(suggested)
  }
  const last = lines[lines.length - 1]
  const body = (
    <div
      className="chat-lines"
      role="log"
      aria-label={m.robot_conversation()}
      ref={conversation}
      tabIndex={-1}
    >
      {lines.length === 0 && !pending ? (
        <Welcome text={welcome} sendQuestion={askSuggestion} />
      ) : null}
      {lines.map((line) => (
        <LineView key={line.id} line={line} dialogId={dialogId ?? ''}>
          {line.author === 'robot' && dialogId ? (
            <LineRating line={line} dialogId={dialogId} />
          ) : null}
          {line === last && !pending ? (
            <FollowUps list={line.followUps} sendQuestion={askSuggestion} />
          ) : null}
        </LineView>
      ))}
      {pending ? (
        <>
          <div className="chat-line chat-line-own">
            <p className="chat-bubble" lang={userTextLang(pending.question)}>
              {pending.question}
            </p>
          </div>
          {/* Read as a whole once it is complete. */}
          <div className="chat-line" aria-hidden="true">
            <p className="chat-bubble">
              {pending.parts.map(({ text }) => text).join(' ') + pending.text || (
                <span className="chat-thinking">{m.robot_thinking()}</span>
              )}
            </p>
          </div>
        </>
      ) : null}
      {failed ? (
        <div className="chat-failed">
          <p className="field-error" role="alert">
            {failed.text}
          </p>
          <Button kind="plain" small onClick={() => void ask(failed.question)}>
            {m.robot_again()}
          </Button>
        </div>
      ) : null}
      <div ref={end} className="chat-end" />
    </div>
  )
  return (
    <>
      <div className="column stack">
        {about}
        {dialogId && lines.length === 0 && !pending ? (
          <QueryView
            query={query}
            skeleton={<Skeleton rows={4} height={72} label={m.shell_loading()} />}
          >
            {() => body}
          </QueryView>
        ) : (
          body
        )}
      </div>
      <p className="unseen" role="status">
        {pending ? m.robot_thinking() : ''}
      </p>
      <Composer busy={pending !== undefined} sendQuestion={ask}>
        <DeskBar dialog={dialog} answered={lines.some(({ author }) => author === 'agent')} />
      </Composer>
    </>
  )
}

type SendQuestion = (question: string) => Promise<void>

function Welcome({ text, sendQuestion }: { text: string; sendQuestion: SendQuestion }) {
  const hot = useQuery(q(robot.hotQuestions))
  return (
    <div className="chat-line">
      <p className="chat-bubble" lang={userTextLang(text)}>
        {text}
      </p>
      {hot.data && hot.data.length > 0 ? (
        <>
          <h2 className="chat-hot">{m.robot_hot()}</h2>
          <FollowUps
            list={hot.data.map((one) => inLanguage(one.question, one.questionEn))}
            sendQuestion={sendQuestion}
          />
        </>
      ) : null}
    </div>
  )
}

function FollowUps({
  list,
  sendQuestion,
}: {
  list: readonly string[]
  sendQuestion: SendQuestion
}) {
  if (list.length === 0) return null
  return (
    <ul className="chat-follow-ups" aria-label={m.robot_follow_ups()}>
      {list.map((text) => (
        <li key={text}>
          <button type="button" className="chat-follow-up" onClick={() => void sendQuestion(text)}>
            {text}
          </button>
        </li>
      ))}
    </ul>
  )
}

type ComposerProps = { busy: boolean; sendQuestion: SendQuestion; children: ReactNode }

function Composer({ busy, sendQuestion, children }: ComposerProps) {
  const [text, setText] = useState('')
  const send = () => {
    if (busy || !text.trim()) return
    void sendQuestion(text)
    deleteDraft('robot.question')
    setText('')
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    send()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter during input-method composition does not send.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <DraftForm
      draft={'robot.question'}
      quiet
      className="bottom-bar chat-composer"
      onSubmit={submit}
    >
      {children}
      <textarea
        className="chat-input"
        aria-label={m.robot_write()}
        placeholder={m.robot_write()}
        rows={1}
        maxLength={500}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <Button type="submit" busy={busy}>
        {m.robot_send()}
      </Button>
    </DraftForm>
  )
}
