import './messages.css'
import type { MessageSummary } from '@atrium/contract/work/messages'
import { formatRelativeTime } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { ActionSheet, type SheetAction } from '#ui/feedback/action-sheet.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { useKeptFocus } from '#ui/kept-focus.ts'
import { useLongPress } from '#ui/long-press.ts'
import { Icon } from '#ui/media/icon.tsx'
import { OnlyInLanguage } from '#ui/only-in-language.tsx'
import { Pill } from '#ui/pill.tsx'
import { SwipeRow } from '#ui/swipe-row.tsx'
import { MessageRequestRow } from './message-request-row.tsx'
import { useDelete, useMarkRead, useStar } from './messages-queries.ts'

type MessageRowProps = {
  message: MessageSummary
  /** Shows the application's name. */
  named: boolean
  /** In selection mode: whether this message is selected; otherwise undefined. */
  selected: boolean | undefined
  onToggle: (id: string) => void
  onMenu: (message: MessageSummary) => void
}

/**
 * A message in a list: opens on a tap, or is selected; its button or a long press shows further actions. Renders an
 * `li`.
 */
export function MessageRow({ message, named, selected, onToggle, onMenu }: MessageRowProps) {
  const { id, title, titleEn, read } = message
  // Also while the answer can still be undone.
  const hasRequest = Boolean(message.asked ?? message.link)
  const press = useLongPress(() => onMenu(message))
  const actions = useMessageActions(message)
  const name = inLanguage(title, titleEn)
  const keptFocus = useKeptFocus()
  if (selected !== undefined)
    return (
      <li className="message-row">
        <label className="message-line message-line-select">
          <input type="checkbox" checked={selected} onChange={() => onToggle(id)} />
          <Text message={message} named={named} />
        </label>
      </li>
    )
  return (
    <li {...press}>
      <SwipeRow actions={actions.slice(-2)}>
        <div className="message-row">
          <Link
            to="/pagesA/message/detail"
            search={{ id }}
            className={read ? 'message-line' : 'message-line message-unread'}
          >
            <span className={read ? 'message-dot message-dot-read' : 'message-dot'}>
              {read ? null : <span className="unseen">{m.messages_filter_unread()}</span>}
            </span>
            <Text message={message} named={named} />
          </Link>
          <IconButton label={m.messages_more_of({ name })} onClick={() => onMenu(message)}>
            <Icon name="more" />
          </IconButton>
        </div>
        {hasRequest ? (
          <div className="message-row-act" {...keptFocus}>
            <MessageRequestRow message={message} />
          </div>
        ) : null}
      </SwipeRow>
    </li>
  )
}

function Text({ message, named }: { message: MessageSummary; named: boolean }) {
  const { title, titleEn, summary, summaryEn, starred, urgent, waiting, sentAt } = message
  return (
    <span className="message-line-text">
      <span className="message-line-name">
        {starred ? <Icon name="star-filled" label={m.messages_starred()} /> : null}
        <Bilingual zh={title} en={titleEn} />
      </span>
      <span className="message-line-last two-lines">
        <Bilingual zh={summary} en={summaryEn} />
      </span>
      <span className="message-line-time num">
        {urgent ? <Pill tone="orange">{m.messages_urgent()}</Pill> : null}
        {waiting ? (
          <Pill tone="amber">
            {message.asked?.confirm ? m.messages_unconfirmed() : m.messages_waiting()}
          </Pill>
        ) : null}
        <span>
          {named ? `${inLanguage(message.appName, message.appNameEn)} · ` : ''}
          {formatRelativeTime('messages', sentAt)}
          <OnlyInLanguage zh={title !== ''} en={titleEn !== ''} />
        </span>
      </span>
    </span>
  )
}

type MessageMenuProps = { message: MessageSummary; onClose: () => void }

/** The actions for a message. Rendered beside the list, so that reloading the list does not close it. */
export function MessageMenu({ message, onClose }: MessageMenuProps) {
  const { title, titleEn } = message
  const actions = useMessageActions(message)
  return <ActionSheet open onClose={onClose} title={inLanguage(title, titleEn)} actions={actions} />
}

/** The last two are the swipe actions. */
function useMessageActions({ id, read, starred }: MessageSummary): SheetAction[] {
  const star = useStar()
  const markRead = useMarkRead()
  const remove = useDelete()
  const unreadActions = read
    ? []
    : [
        {
          icon: 'check' as const,
          label: m.messages_mark_read(),
          onSelect: () => markRead.mutate({ body: { ids: [id] } }),
        },
      ]
  return [
    ...unreadActions,
    {
      icon: starred ? 'star-filled' : 'star',
      label: starred ? m.messages_unstar() : m.messages_star(),
      onSelect: () => star.mutate({ body: { id, star: !starred } }),
    },
    {
      icon: 'trash',
      label: m.messages_delete(),
      danger: true,
      onSelect: () => remove.mutate({ body: { ids: [id] } }),
    },
  ]
}
