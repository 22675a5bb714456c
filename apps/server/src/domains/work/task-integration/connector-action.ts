import type { TaskConnector } from '@atrium/contract/work/task-connector'
import { lowerCaseNames } from './connector-list.ts'
import { parseJson, type Requester } from './connector-request.ts'
import { expandPointers, textOf, valueAt } from './pointer.ts'

const maxAnswerBytes = 100_000

/** The values available to templates of an action. */
export type OutcomePayload = {
  id: string
  task: string
  step: string | null
  action: string
  comment: string
  form: Record<string, string>
  /** by form field; each URL is valid for an hour */
  files: Record<string, { name: string; mediaType: string; size: number; url: string }[]>
  at: string
  by: { username: string; number: string | null; name: string }
  onBehalfOf: { username: string; name: string | null } | null
}

/** @returns acceptance, the refusal with its reason, or the issue if there was no valid answer */
export async function callConnector(
  request: Requester,
  {
    address,
    method,
    headers,
    format,
    body,
    answer,
    refusedStatuses,
    reason,
    offers,
  }: NonNullable<TaskConnector['action']>,
  outcome: OutcomePayload,
): Promise<{ refused?: string | undefined } | { issue: string }> {
  const offer = offers.find(({ code }) => code === outcome.action)
  const document = { ...outcome, value: offer?.value ?? outcome.action }
  const content = body === undefined ? undefined : fillInAll(body, document)
  const { status, bytes } = await request(expandPointers(address, document, encodeURIComponent), {
    method,
    headers: {
      ...lowerCaseNames(headers),
      'idempotency-key': outcome.id,
      ...(content !== undefined && {
        'content-type':
          format === 'form' ? 'application/x-www-form-urlencoded' : 'application/json',
      }),
    },
    ...(content !== undefined && {
      body:
        format === 'form'
          ? new URLSearchParams(content as Record<string, string>).toString()
          : JSON.stringify(content),
    }),
    maxBytes: maxAnswerBytes,
  })
  const reply = parseJson(bytes)
  const refused = () => ({
    refused: ((reason !== undefined && textOf(valueAt(reply, reason))) || '')
      .replaceAll(/\p{Cc}+/gu, ' ')
      .trim()
      .slice(0, 300)
      .toWellFormed(),
  })
  if (refusedStatuses.includes(status)) return refused()
  if (status < 200 || status > 299) return { issue: `status ${status}` }
  if (!answer) return {}
  const verdict = textOf(valueAt(reply, answer.at))
  if (verdict === undefined) return { issue: `the answer has nothing at “${answer.at}”` }
  if (answer.yes.includes(verdict)) return {}
  if (answer.no.length === 0 || answer.no.includes(verdict)) return refused()
  return { issue: `the answer is neither yes nor no: ${verdict.slice(0, 40)}` }
}

/** Fills in every string in a JSON value. */
function fillInAll(value: unknown, document: unknown): unknown {
  if (typeof value === 'string') return expandPointers(value, document)
  if (Array.isArray(value)) return value.map((one) => fillInAll(one, document))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, fillInAll(one, document)]),
  )
}
