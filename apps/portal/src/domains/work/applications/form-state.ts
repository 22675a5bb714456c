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
import { invalidate } from '#lib/queries.ts'
import { randomId } from '#lib/random-id.ts'

/** Milliseconds after the last change. */
const saveDelay = 1200

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
 * so that any device can continue. Calls run one after the other, so the last one wins.
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
      () => setState('failed'),
    )
  }
  const saveDraftRef = useRef(saveDraft)
  saveDraftRef.current = saveDraft
  // Save the last changes when the screen is left.
  useEffect(
    () => () => {
      if (timer.current !== undefined) saveDraftRef.current()
    },
    [],
  )

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
      clearTimeout(timer.current)
      timer.current = setTimeout(() => saveDraftRef.current(), saveDelay)
    },
    /** @returns the application, or the error if it was refused */
    async submit(): Promise<Application | ApiError> {
      clearTimeout(timer.current)
      timer.current = undefined
      setSubmitting(true)
      try {
        const answer = await send(true)
        invalidate(...changedApplications)
        return answer
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        setIssues(issuesIn(error))
        return error
      } finally {
        setSubmitting(false)
      }
    },
  }
}

/** Messages by field of the form. */
const issuesIn = ({ fields }: ApiError): Issues =>
  Object.fromEntries(
    Object.entries(fields ?? {}).map(([field, issue]) => [field.replace(/^data\./, ''), issue]),
  )
