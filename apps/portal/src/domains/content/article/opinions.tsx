import './opinions.css'
import {
  type Comment,
  commentMostCharacters,
  comments,
  type OwnComment,
} from '@atrium/contract/content/comments'
import type { Article } from '@atrium/contract/content/news'
import { useEffect, useRef, useState } from 'react'
import { useComments, useOpinions, useOwnComments } from '#domains/content/news/news-queries.ts'
import { deleteDraft } from '#lib/drafts.ts'
import { formatNumber, formatRelativeTime } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { useSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { ListEnd } from '#shell/page/list-end.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { signIn } from '#shell/sign-in/sign-in.ts'
import { Card } from '#ui/card.tsx'
import { Dialog, Sheet } from '#ui/feedback/dialog.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftForm } from '#ui/form/draft-form.tsx'
import { TextArea } from '#ui/form/text-area.tsx'
import { Avatar } from '#ui/media/avatar.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { Pill } from '#ui/pill.tsx'

/** Id of the likes and comments, for the button that scrolls to them. */
export const opinionsId = 'opinions'

/** Likes and comments of an article; loaded shortly before they scroll into view. */
export function Opinions({ article }: { article: Article }) {
  const { id, commentMode } = article
  const [near, setNear] = useState(false)
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      rootMargin: '400px',
    })
    if (container.current) watch.observe(container.current)
    return () => watch.disconnect()
  }, [])
  return (
    <div className="opinions" id={opinionsId} ref={container} tabIndex={-1}>
      {near ? <Discussion id={id} commentMode={commentMode} /> : null}
    </div>
  )
}

function Discussion({ id, commentMode }: Pick<Article, 'id' | 'commentMode'>) {
  return (
    <>
      <div className="opinions-like">
        <Like id={id} />
      </div>
      {commentMode === 'off' ? (
        <p className="opinions-closed muted">{m.news_comments_closed()}</p>
      ) : (
        <Comments id={id} waits={commentMode === 'approved'} />
      )}
    </>
  )
}

function Like({ id }: { id: string }) {
  const member = useSession() !== null
  const opinions = useOpinions(id)
  const like = useAction(comments.like, { invalidates: [comments.opinions] })
  // Optimistic: shows the requested state; the answer corrects it.
  const requested = like.isPending ? like.variables.body.type === '1' : undefined
  const { likes = 0, liked = false } = opinions.data ?? {}
  const isLiked = requested ?? liked
  const count = likes + (requested === undefined ? 0 : Number(requested) - Number(liked))
  return (
    <Button
      kind={isLiked ? 'primary' : 'plain'}
      aria-pressed={isLiked}
      onClick={() => {
        if (!member) signIn()
        else if (!like.isPending)
          like.mutate({ params: { id }, body: { type: isLiked ? '0' : '1' } })
      }}
    >
      <Icon name="heart" /> {m.news_like()} <span className="num">{formatNumber(count)}</span>
    </Button>
  )
}

function Comments({ id, waits }: { id: string; waits: boolean }) {
  const member = useSession() !== null
  const list = useComments(id)
  const ownComments = useOwnComments(id)
  const opinions = useOpinions(id)
  const mine = new Set(ownComments.data?.map((comment) => comment.id))
  const pending = ownComments.data?.filter(({ status }) => status !== 'shown') ?? []
  return (
    <Card
      title={m.news_comments()}
      aside={
        opinions.data ? <span className="num">{formatNumber(opinions.data.comments)}</span> : null
      }
    >
      {member ? (
        <Write id={id} waits={waits} />
      ) : (
        <p className="opinions-sign-in">
          <span className="muted">{m.news_comment_sign_in()}</span>
          <Button kind="plain" small onClick={() => signIn()}>
            {m.shell_sign_in()}
          </Button>
        </p>
      )}
      {pending.length > 0 ? (
        <ul aria-label={m.news_comments_own()}>
          {pending.map((comment) => (
            <CommentRow key={comment.id} comment={comment} mine ownComment={comment} />
          ))}
        </ul>
      ) : null}
      <QueryView
        query={list}
        skeleton={<Skeleton rows={3} height={72} label={m.shell_loading()} />}
        isEmpty={({ pages: [first] }) => first?.list.length === 0 && pending.length === 0}
        empty={
          <Empty icon="chat" title={m.news_comments_none()}>
            {m.news_comments_none_text()}
          </Empty>
        }
      >
        {({ pages }) => (
          <>
            <ul aria-label={m.news_comments()}>
              {pages.flatMap((page) =>
                page.list.map((comment) => (
                  <CommentRow key={comment.id} comment={comment} mine={mine.has(comment.id)} />
                )),
              )}
            </ul>
            <ListEnd query={list} />
          </>
        )}
      </QueryView>
    </Card>
  )
}

const changed = [comments.list, comments.own, comments.opinions]

function Write({ id, waits }: { id: string; waits: boolean }) {
  const [text, setText] = useState('')
  const [issue, setIssue] = useState('')
  const { mutate, isPending } = useAction(comments.add, {
    invalidates: changed,
    done({ status }) {
      setText('')
      deleteDraft(`news.comment ${id}`)
      toast(status === 'waiting' ? m.news_comment_waits() : m.news_comment_shown())
    },
    failed({ message }) {
      setIssue(message)
      return true
    },
  })
  return (
    <DraftForm
      draft={`news.comment ${id}`}
      className="opinions-write"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim()) mutate({ params: { id }, body: { content: text.trim() } })
      }}
    >
      <TextArea
        label={m.news_comment_write()}
        value={text}
        maxLength={commentMostCharacters}
        error={issue}
        onValue={(next) => {
          setIssue('')
          setText(next)
        }}
      />
      <div className="opinions-send">
        <span className="muted">{waits ? m.news_comment_approval() : ''}</span>
        <Button small type="submit" busy={isPending} disabled={text.trim() === ''}>
          {m.news_comment_send()}
        </Button>
      </div>
    </DraftForm>
  )
}

type CommentRowProps = { comment: Comment; mine: boolean; ownComment?: OwnComment }

function CommentRow({ comment, mine, ownComment }: CommentRowProps) {
  const member = useSession() !== null
  const [dialog, setDialog] = useState<'remove' | 'report'>()
  const name = inLanguage(comment.userName, comment.userNameEn)
  return (
    <li className="comment">
      <Avatar name={comment.userName} url="" size={32} />
      <div className="comment-text">
        <p className="comment-head">
          <span>{name}</span>
          <time className="muted" dateTime={comment.createdAt}>
            {formatRelativeTime('news', comment.createdAt)}
          </time>
          {ownComment ? (
            <Pill tone={ownComment.status === 'waiting' ? 'amber' : 'orange'}>
              {ownComment.status === 'waiting'
                ? m.news_comment_waiting()
                : m.news_comment_refused()}
            </Pill>
          ) : null}
        </p>
        <p className="comment-content">{comment.content}</p>
        {ownComment?.reason ? (
          <p className="muted">{m.news_comment_reason({ reason: ownComment.reason })}</p>
        ) : null}
      </div>
      {mine || member ? (
        <button
          type="button"
          className="icon-button"
          aria-label={mine ? m.news_comment_delete_of() : m.news_comment_report_of({ name })}
          onClick={() => setDialog(mine ? 'remove' : 'report')}
        >
          <Icon name={mine ? 'trash' : 'flag'} />
        </button>
      ) : null}
      {dialog === 'remove' ? (
        <Remove id={comment.id} onClose={() => setDialog(undefined)} />
      ) : dialog === 'report' ? (
        <Report id={comment.id} onClose={() => setDialog(undefined)} />
      ) : null}
    </li>
  )
}

type DialogProps = { id: string; onClose: () => void }

function Remove({ id, onClose }: DialogProps) {
  const { mutate, isPending } = useAction(comments.remove, { invalidates: changed, done: onClose })
  return (
    <Dialog
      open
      onClose={onClose}
      title={m.news_comment_delete_ask()}
      actions={
        <>
          <Button kind="plain" onClick={onClose}>
            {m.news_cancel()}
          </Button>
          <Button kind="danger" busy={isPending} onClick={() => mutate({ params: { id } })}>
            {m.news_comment_delete()}
          </Button>
        </>
      }
    >
      {m.news_comment_delete_text()}
    </Dialog>
  )
}

function Report({ id, onClose }: DialogProps) {
  const [reason, setReason] = useState('')
  const { mutate, isPending } = useAction(comments.report, {
    done() {
      deleteDraft(`news.report ${id}`)
      toast(m.news_comment_reported())
      onClose()
    },
  })
  return (
    <Sheet open onClose={onClose} title={m.news_comment_report()}>
      <DraftForm
        draft={`news.report ${id}`}
        className="report-sheet"
        onSubmit={(event) => {
          event.preventDefault()
          mutate({ params: { id }, body: { reason: reason.trim() } })
        }}
      >
        <TextArea
          label={m.news_comment_report_reason()}
          value={reason}
          onValue={setReason}
          maxLength={200}
        />
        <Button wide type="submit" busy={isPending}>
          {m.news_comment_report_send()}
        </Button>
      </DraftForm>
    </Sheet>
  )
}
