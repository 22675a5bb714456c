import { type AnswerPart, type DialogLine, robot } from '@atrium/contract/discovery/robot'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '#lib/api.ts'
import { callByEvents } from '#lib/event-call.ts'
import { invalidate, q, setAnswer } from '#lib/queries.ts'

/** A question being answered, with the part of the answer received so far. */
export type Pending = { question: string; parts: AnswerPart[]; text: string }

/** Poll interval for agents' messages, in ms. */
const every = 4000

/**
 * The state of a dialog, and a function to ask.
 * @param onDialog called with the id of a dialog started by a first question
 */
export function useChat(
  first: string | undefined,
  assistant: boolean,
  onDialog: (dialogId: string) => void,
) {
  const [dialogId, setDialogId] = useState(first)
  const [pending, setPending] = useState<Pending>()
  const [failed, setFailed] = useState<{ question: string; text: string }>()
  const abort = useRef<AbortController>(undefined)
  useEffect(() => () => abort.current?.abort(), [])

  const query = useQuery({
    ...q(robot.dialog, { query: { dialogId: dialogId ?? '' } }),
    enabled: dialogId !== undefined,
    refetchInterval: ({ state }) => {
      const is = state.data?.dialog.state
      return is === 'waiting' || is === 'agent' ? every : false
    },
  })

  async function ask(text: string) {
    const question = text.trim()
    if (!question || pending) return
    abort.current = new AbortController()
    setFailed(undefined)
    setPending({ question, parts: [], text: '' })
    const add = (name: string, data: unknown) =>
      setPending((before) => {
        if (!before) return before
        if (name === 'part') return { ...before, parts: [...before.parts, data as AnswerPart] }
        if (name === 'text')
          return { ...before, text: before.text + (data as { text: string }).text }
        return before
      })
    try {
      const reply = await callByEvents(
        robot.chat,
        { body: { question, assistant, ...(dialogId && { dialogId }) } },
        add,
        abort.current.signal,
      )
      const newLines: DialogLine[] = [reply.question, ...(reply.answer ? [reply.answer] : [])]
      setAnswer(q(robot.dialog, { query: { dialogId: reply.dialog.id } }), (before) => {
        const knownIds = new Set(before?.lines.map(({ id }) => id))
        return {
          dialog: reply.dialog,
          lines: [...(before?.lines ?? []), ...newLines.filter(({ id }) => !knownIds.has(id))],
        }
      })
      setDialogId(reply.dialog.id)
      if (reply.dialog.id !== dialogId) onDialog(reply.dialog.id)
      invalidate(robot.dialogs)
    } catch (error) {
      if (abort.current.signal.aborted) return
      setFailed({ question, text: error instanceof ApiError ? error.message : String(error) })
    }
    setPending(undefined)
  }

  return {
    dialogId,
    query,
    lines: query.data?.lines ?? [],
    dialog: query.data?.dialog,
    pending,
    failed,
    ask,
  }
}
