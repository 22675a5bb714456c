import { articleReview, type Remark } from '@atrium/contract/content/editorial-review.operator'
import type { Endpoint, Input } from '@atrium/contract/define'
import { useQuery } from '@tanstack/react-query'
import type { Editor } from '@tiptap/react'
import { useEffect, useId, useState } from 'react'
import { deleteDraft } from '#lib/drafts.ts'
import { formatDayAndTime } from '#lib/format.ts'
import { q, setAnswer } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { useAction } from '#shell/page/action.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftFields } from '#ui/form/draft-form.tsx'
import { TextArea } from '#ui/form/text-area.tsx'
import type { Anchor } from './passage.ts'
import {
  markRemarks,
  paragraphs,
  selectedPassage,
  showRemark,
  stateOfRemark,
} from './remark-marks.ts'

type Language = Remark['language']
export type Editors = Partial<Record<Language, Editor>>
type RemarksProps = {
  id: string
  editors: Editors
  /** the language used last */
  language: Language
  onShow: (language: Language) => void
}

const remarksOf = (id: string) => q(articleReview.remarks, { params: { id } })

/** Remarks on passages of the text: they can be answered and resolved, and show where they are now. */
export function RemarksPanel({ id, editors, language, onShow }: RemarksProps) {
  const remarks = useQuery(remarksOf(id))
  const list = remarks.data
  useEffect(() => {
    for (const one of ['zh', 'en'] as const) {
      const editor = editors[one]
      const open = list?.filter((remark) => remark.language === one && !remark.resolvedAt) ?? []
      if (editor && !editor.isDestroyed) markRemarks(editor, open)
    }
  }, [list, editors])
  return (
    <Card title={m.writing_remarks()}>
      <QueryView query={remarks} skeleton={<Skeleton height={80} label={m.shell_loading()} />}>
        {(all) => (
          <>
            {all.length === 0 ? <p className="muted">{m.writing_remarks_none()}</p> : null}
            <ul className="writing-remarks">
              {[...all]
                .sort((a, b) => Number(a.resolvedAt !== null) - Number(b.resolvedAt !== null))
                .map((remark) => (
                  <li key={remark.id}>
                    <RemarkItem
                      articleId={id}
                      remark={remark}
                      editor={editors[remark.language]}
                      onShow={onShow}
                    />
                  </li>
                ))}
            </ul>
            <NewRemark id={id} editor={editors[language]} language={language} />
          </>
        )}
      </QueryView>
    </Card>
  )
}

/** Every change returns the full list. */
function useRemarkAction<E extends Endpoint>(endpoint: E, id: string, done?: () => void) {
  return useAction(endpoint, {
    done(reply) {
      setAnswer(remarksOf(id), reply as Remark[])
      done?.()
    },
  })
}

type RemarkItemProps = {
  articleId: string
  remark: Remark
  editor: Editor | undefined
  onShow: (language: Language) => void
}

function RemarkItem({ articleId, remark, editor, onShow }: RemarkItemProps) {
  const { timeZone } = useSystem()
  const [answer, setAnswerText] = useState<string>()
  const params = { id: articleId, remarkId: remark.id }
  const resolve = useRemarkAction(articleReview.resolve, articleId)
  const reply = useRemarkAction(articleReview.answer, articleId, () => {
    deleteDraft(`writing.answer ${remark.id}`)
    setAnswerText(undefined)
  })
  const remove = useRemarkAction(articleReview.removeRemark, articleId)
  const state = useRemarkState(remark, editor)
  const resolved = remark.resolvedAt !== null
  const short = remark.content.slice(0, 20)
  return (
    <article
      className={resolved ? 'writing-remark-card writing-remark-done' : 'writing-remark-card'}
    >
      {remark.quote ? (
        <blockquote
          className="writing-remark-quote"
          lang={remark.language === 'zh' ? 'zh-CN' : 'en'}
        >
          {remark.quote}
        </blockquote>
      ) : (
        <p className="muted">{m.writing_remark_whole()}</p>
      )}
      {state === 'gone' ? <p className="writing-remark-gone">{m.writing_remark_gone()}</p> : null}
      {state === 'changed' ? <p className="muted">{m.writing_remark_changed()}</p> : null}
      <p className="writing-remark-text">{remark.content}</p>
      <p className="muted num">
        {remark.writtenBy} <time dateTime={remark.at}>{formatDayAndTime(remark.at, timeZone)}</time>
      </p>
      {remark.answers.length > 0 ? (
        <ul className="writing-answers">
          {remark.answers.map((one) => (
            <li key={one.id}>
              <p className="writing-remark-text">{one.content}</p>
              <p className="muted num">
                {one.writtenBy} <time dateTime={one.at}>{formatDayAndTime(one.at, timeZone)}</time>
              </p>
            </li>
          ))}
        </ul>
      ) : null}
      {resolved ? (
        <p className="muted">{m.writing_remark_resolved_by({ name: remark.resolvedBy })}</p>
      ) : null}
      {answer === undefined ? (
        <div className="workbench-actions">
          {remark.quote && !resolved && state !== 'gone' && editor ? (
            <Button
              kind="plain"
              small
              aria-label={m.writing_remark_do({ action: m.writing_remark_show(), text: short })}
              onClick={() => {
                onShow(remark.language)
                // Its pane may only now become visible.
                requestAnimationFrame(() => showRemark(editor, remark.id))
              }}
            >
              {m.writing_remark_show()}
            </Button>
          ) : null}
          <Button
            kind="plain"
            small
            aria-label={m.writing_answer_to({ text: short })}
            onClick={() => setAnswerText('')}
          >
            {m.writing_answer()}
          </Button>
          <Button
            kind="plain"
            small
            busy={resolve.isPending}
            aria-label={
              resolved
                ? m.writing_reopen_this({ text: short })
                : m.writing_resolve_this({ text: short })
            }
            onClick={() =>
              resolve.mutate({ params, body: { resolved: !resolved } } as Input<
                typeof articleReview.resolve
              >)
            }
          >
            {resolved ? m.writing_reopen() : m.writing_resolve()}
          </Button>
          {remark.own ? (
            <Button
              kind="plain"
              small
              busy={remove.isPending}
              aria-label={m.writing_remark_do({ action: m.writing_remark_remove(), text: short })}
              onClick={() => remove.mutate({ params })}
            >
              {m.writing_remark_remove()}
            </Button>
          ) : null}
        </div>
      ) : (
        <div className="writing-fields">
          <DraftFields draft={`writing.answer ${remark.id}`}>
            <TextArea
              label={m.writing_answer_label()}
              value={answer}
              onValue={setAnswerText}
              maxLength={1000}
              rows={2}
            />
          </DraftFields>
          <div className="workbench-actions">
            <Button
              small
              busy={reply.isPending}
              disabled={!answer.trim()}
              onClick={() => reply.mutate({ params, body: { content: answer } })}
            >
              {m.writing_answer_send()}
            </Button>
            <Button kind="plain" small onClick={() => setAnswerText(undefined)}>
              {m.editorial_cancel()}
            </Button>
          </div>
        </div>
      )}
    </article>
  )
}

/** Whether the remark's passage still exists; updated whenever the text changes. */
function useRemarkState(remark: Remark, editor: Editor | undefined) {
  const [state, setState] = useState<'found' | 'changed' | 'gone'>('found')
  useEffect(() => {
    if (!editor || !remark.quote || remark.resolvedAt) return setState('found')
    const updateState = () => {
      if (!editor.isDestroyed) setState(stateOfRemark(editor, remark.id))
    }
    updateState()
    editor.on('transaction', updateState)
    return () => void editor.off('transaction', updateState)
  }, [editor, remark])
  return state
}

type NewProps = { id: string; editor: Editor | undefined; language: Language }

/** A remark on the selection, on a paragraph, or on the whole text. */
function NewRemark({ id, editor, language }: NewProps) {
  const about = useId()
  const [open, setOpen] = useState(false)
  const [content, setContent] = useState('')
  const [choices, setChoices] = useState<Anchor[]>([])
  const [chosen, setChosen] = useState(0)
  const remark = useRemarkAction(articleReview.remark, id, () => {
    deleteDraft(`writing.remark ${id}`)
    setOpen(false)
    setContent('')
    toast(m.writing_remark_sent())
  })
  const begin = () => {
    const selected = editor && selectedPassage(editor)
    setChoices([
      ...(selected ? [selected] : []),
      { quote: '', prefix: '', suffix: '' },
      ...(editor ? paragraphs(editor) : []),
    ])
    setChosen(0)
    setOpen(true)
  }
  if (!open)
    return (
      <div className="workbench-actions">
        <Button kind="plain" onMouseDown={(event) => event.preventDefault()} onClick={begin}>
          {m.writing_remark_new()}
        </Button>
      </div>
    )
  const anchor = choices[chosen]
  return (
    <div className="writing-fields">
      <div className="field">
        <label htmlFor={about}>{m.writing_remark_about()}</label>
        <select
          id={about}
          value={chosen}
          onChange={(event) => setChosen(Number(event.target.value))}
        >
          {choices.map((choice, at) => (
            <option key={`${choice.prefix}|${choice.quote}|${choice.suffix}`} value={at}>
              {choice.quote ? choice.quote.slice(0, 60) : m.writing_remark_whole()}
            </option>
          ))}
        </select>
      </div>
      <DraftFields draft={`writing.remark ${id}`}>
        <TextArea
          label={m.writing_remark_label()}
          value={content}
          onValue={setContent}
          maxLength={1000}
          rows={3}
        />
      </DraftFields>
      <div className="workbench-actions">
        <Button
          busy={remark.isPending}
          disabled={!content.trim() || !anchor}
          onClick={() =>
            anchor && remark.mutate({ params: { id }, body: { language, content, ...anchor } })
          }
        >
          {m.writing_remark_send()}
        </Button>
        <Button kind="plain" onClick={() => setOpen(false)}>
          {m.editorial_cancel()}
        </Button>
      </div>
    </div>
  )
}
