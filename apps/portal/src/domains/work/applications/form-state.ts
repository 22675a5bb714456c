import type { Endpoint } from '@atrium/contract/define'
import {
  type Application,
  type ApplicationBlank,
  applications,
  type FormData,
} from '@atrium/contract/work/applications'
import { tasks } from '@atrium/contract/work/tasks'
import { useEffect, useRef, useState } from 'react'
import { ApiError, call } from '#lib/api.ts'
import { invalidate, q, setAnswer } from '#lib/queries.ts'
import { randomId } from '#lib/random-id.ts'

/** Milliseconds after the last change. */
const saveDelay = 1200
/** Milliseconds after a failed attempt. */
const retryDelay = 8000

export type SaveState = 'none' | 'saving' | 'saved' | 'failed'
export type Issues = Readonly<Record<string, string>>

/** Endpoints that show applications and their states. */
export const changedApplications: readonly Endpoint[] = [
  applications.list,
  applications.read,
  tasks.list,
  tasks.counts,
  tasks.read,
  tasks.records,
]

/**
 * The form being filled in. Each change is saved on the server as a draft after a pause, and when the screen is left,
 * so that any device can continue; again later if that fails. Calls run one after the other, so the last one wins.
 */
export function useFormState(blank: ApplicationBlank, application: Application | undefined) {
  const [data, setData] = useState<FormData>(application?.data ?? {})
  const [issues, setIssues] = useState<Issues>({})
  const [state, setState] = useState<SaveState>('none')
  const [submitting, setSubmitting] = useState(false)
  const latest = useRef({ data, id: application?.id, key: randomId(), version: blank.version })
  latest.current.version = blank.version
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const last = useRef<Promise<unknown>>(Promise.resolve())

  function send(submit: boolean): Promise<Application> {
    const sent = last.current.then(async () => {
      const { data, id, key, version } = latest.current
      const body = { data, version, submit }
      const answer = id
        ? await call(applications.update, { params: { id }, body })
        : await call(applications.save, { body: { ...body, key, code: blank.code } })
      latest.current.id = answer.id
      // Opened again, the form begins with this, not with the answer from before.
      setAnswer(q(applications.read, { params: { id: answer.id } }), answer)
      return answer
    })
    last.current = sent.catch(() => {})
    return sent
  }

  function saveDraft() {
    clearTimeout(timer.current)
    timer.current = undefined
    const { data } = latest.current
    send(false).then(
      () => {
        invalidate(applications.list, tasks.list, tasks.counts)
        if (data === latest.current.data) setState('saved')
      },
      (error) => {
        setState('failed')
        // A later change has its own timer.
        if (data === latest.current.data && isTransient(error)) saveIn(retryDelay)
      },
    )
  }
  const saveDraftRef = useRef(saveDraft)
  saveDraftRef.current = saveDraft
  function saveIn(milliseconds: number) {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => saveDraftRef.current(), milliseconds)
  }
  useEffect(() => {
    const saveNow = () => {
      if (timer.current !== undefined) saveDraftRef.current()
    }
    // A hidden page may not come back.
    const saveIfHidden = () => document.visibilityState === 'hidden' && saveNow()
    addEventListener('online', saveNow)
    document.addEventListener('visibilitychange', saveIfHidden)
    return () => {
      removeEventListener('online', saveNow)
      document.removeEventListener('visibilitychange', saveIfHidden)
      saveNow()
    }
  }, [])

  return {
    data,
    issues,
    state,
    submitting,
    change(name: string, value: unknown) {
      const next = { ...latest.current.data, [name]: value }
      latest.current.data = next
      setData(next)
      setIssues((before) =>
        Object.fromEntries(
          Object.entries(before).filter(
            ([field]) => field !== name && !field.startsWith(`${name}.`),
          ),
        ),
      )
      setState('saving')
      saveIn(saveDelay)
    },
    /** @returns the application, or the error if it was refused */
    async submit(): Promise<Application | ApiError> {
      clearTimeout(timer.current)
      timer.current = undefined
      setSubmitting(true)
      try {
        const answer = await send(true)
        // A draft that failed before this must not be saved after it.
        clearTimeout(timer.current)
        timer.current = undefined
        invalidate(...changedApplications)
        return answer
      } catch (error) {
        if (isTransient(error)) saveIn(retryDelay)
        if (!(error instanceof ApiError)) throw error
        setIssues(issuesIn(error))
        return error
      } finally {
        setSubmitting(false)
      }
    },
  }
}

const isTransient = (error: unknown) => !(error instanceof ApiError) || error.isTransient

/** Messages by field of the form. */
const issuesIn = ({ fields }: ApiError): Issues =>
  Object.fromEntries(
    Object.entries(fields ?? {}).map(([field, issue]) => [field.replace(/^data\./, ''), issue]),
  )
