import './messages.css'
import type { Message } from '@atrium/contract/work/messages'
import { useState } from 'react'
import { FileRow } from '#domains/content/files/file-row.tsx'
import { TranslationNote } from '#domains/discovery/translation/translation-note.tsx'
import { useTranslation } from '#domains/discovery/translation/translation-queries.ts'
import { formatDayAndTime } from '#lib/format.ts'
import { foreignLang, inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { back, openAddress } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { RichText } from '#ui/media/rich-text.tsx'
import { Pill } from '#ui/pill.tsx'
import { MessageRequest } from './message-request.tsx'
import { useDelete, useMessage, useStar } from './messages-queries.ts'
import { ReasonSheet } from './reason-sheet.tsx'

/** One message. Opening it marks it as read. */
export default function DetailPage() {
  const { id } = useSearch('/pagesA/message/detail')
  const message = useMessage(id)
  const star = useStar()
  const remove = useDelete(back)
  const starred = message.data?.starred ?? false
  return (
    <Page
      actions={
        message.data ? (
          <>
            <IconButton
              label={starred ? m.messages_unstar() : m.messages_star()}
              onClick={() => star.mutate({ body: { id, star: !starred } })}
            >
              <Icon name={starred ? 'star-filled' : 'star'} />
            </IconButton>
            <IconButton
              label={m.messages_delete()}
              onClick={() => remove.mutate({ body: { ids: [id] } })}
            >
              <Icon name="trash" />
            </IconButton>
          </>
        ) : null
      }
    >
      <div className="column stack">
        <QueryView query={message} skeleton={<Skeleton height={320} label={m.shell_loading()} />}>
          {(data) => <Content message={data} />}
        </QueryView>
      </div>
    </Page>
  )
}

function Content({ message }: { message: Message }) {
  const { id, content, contentEn, attachments } = message
  const [isConfirming, setIsConfirming] = useState(false)
  const foreign = isForeign(message)
  const translation = useTranslation('message', id, foreign)
  const { translated } = translation
  const html = translated?.content || inLanguage(content, contentEn)
  const isForeignText = !translated && foreignLang(content, contentEn)
  return (
    <>
      <Card>
        <Head message={message} title={translated?.title} />
        <TranslationNote state={translation} />
        {html ? (
          <RichText html={html} lang={isForeignText || undefined} />
        ) : (
          <p>{translated?.lead || <Bilingual zh={message.summary} en={message.summaryEn} />}</p>
        )}
        {attachments.length > 0 ? (
          <ul className="message-files" aria-label={m.messages_attachments()}>
            {attachments.map((file) => (
              <FileRow
                key={file.id}
                name={file.name}
                mediaType={file.mediaType}
                byteSize={file.size}
                url={file.url}
              />
            ))}
          </ul>
        ) : null}
        <MessageRequest message={message} />
        <Actions message={message} />
      </Card>
      <p className="message-foot">
        <Link to="/msgCenter/pages/schedule/newsAddSchedule" search={{ id, from: 'message' }}>
          <Icon name="calendar" />
          {m.messages_add_event()}
        </Link>
        <Link to="/msgCenter/pages/task/addtodo" search={{ message: id }}>
          <Icon name="clipboard" />
          {m.messages_to_todos()}
        </Link>
        <button type="button" onClick={() => setIsConfirming(true)}>
          <Icon name="info" />
          {m.messages_why()}
        </button>
      </p>
      <ReasonSheet id={id} open={isConfirming} onClose={() => setIsConfirming(false)} />
    </>
  )
}

/** Whether part of it has no version in the reader's language. */
const isForeign = ({ title, titleEn, summary, summaryEn, content, contentEn }: Message) =>
  [[title, titleEn], content || contentEn ? [content, contentEn] : [summary, summaryEn]].some(
    ([zh = '', en = '']) => (zh || en) && foreignLang(zh, en) !== undefined,
  )

function Head({ message, title: translated }: { message: Message; title: string | undefined }) {
  const { title, titleEn, sender, senderEn, appName, appNameEn, sentAt, urgent, validUntil } =
    message
  const expired = validUntil !== null && Date.parse(validUntil) < Date.now()
  return (
    <header className="message-head">
      <h2 className="message-title">{translated || <Bilingual zh={title} en={titleEn} />}</h2>
      <p className="muted">
        {sender ? (
          <Bilingual zh={sender} en={senderEn} />
        ) : (
          <Bilingual zh={appName} en={appNameEn} />
        )}{' '}
        ·{' '}
        <time className="num" dateTime={sentAt}>
          {formatDayAndTime(sentAt)}
        </time>
      </p>
      {urgent || expired ? (
        <p className="message-marks">
          {urgent ? <Pill tone="orange">{m.messages_urgent()}</Pill> : null}
          {expired ? <Pill tone="amber">{m.messages_expired()}</Pill> : null}
        </p>
      ) : null}
    </header>
  )
}

/** The links of a message. */
function Actions({ message: { url, actions } }: { message: Message }) {
  const list = [
    ...actions.map(({ text, textEn, url }) => ({ label: inLanguage(text, textEn), url })),
    ...(url ? [{ label: m.messages_open_link(), url }] : []),
  ]
  if (list.length === 0) return null
  return (
    <div className="message-actions">
      {list.map((action, place) => (
        <Button
          key={`${action.label} ${action.url}`}
          wide
          kind={place === 0 ? 'primary' : 'plain'}
          onClick={() => openAddress(action.url)}
        >
          {action.label}
        </Button>
      ))}
    </div>
  )
}
