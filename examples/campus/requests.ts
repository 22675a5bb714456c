import { notify, putTask, type Session } from './portal.ts'
import { type Request, save, state } from './state.ts'

type RequestInput = Pick<Request, 'kind' | 'title' | 'titleEn' | 'form'> & { course?: string }

/** Submits a request to be decided in the portal's to-dos. @throws if the portal does not accept it */
export async function submitRequest(session: Session, input: RequestInput) {
  const request: Request = {
    id: `${input.kind}-${crypto.randomUUID()}`,
    version: 1,
    username: session.username,
    name: session.name,
    status: 'open',
    comment: '',
    at: new Date().toISOString(),
    ...input,
  }
  // If the portal did not accept it, it is not stored here either: the member retries.
  await putTask(request)
  state.requests.push(request)
  save()
  return 'sent' as const
}

/** Page of each kind, and the portal's message application for its notifications. */
const targets = {
  leave: { app: 'student', path: '/xg/leave' },
  recheck: { app: 'jw', path: '/jw/score' },
  repair: { app: 'repair', path: '/repair/home' },
}

function notifyDecision(request: Request) {
  const isApproved = request.status === 'approved'
  const { app, path } = targets[request.kind]
  const [word, wordEn] =
    request.kind === 'repair'
      ? isApproved
        ? ['已修好', 'Repaired']
        : ['无法维修', 'Not repaired']
      : isApproved
        ? ['已同意', 'Approved']
        : ['未同意', 'Refused']
  notify(request.username, path, {
    app,
    title: `${word}：${request.title}`,
    titleEn: `${wordEn}: ${request.titleEn}`,
    summary: request.comment,
    summaryEn: request.comment,
  })
}

/** Applies an action taken in the portal. @returns why it is refused; undefined if it was applied */
export function decide(id: string, key: string, action: string, comment: string) {
  if (state.handled.includes(id)) return undefined
  const request = state.requests.find((one) => one.id === key)
  if (!request) return '没有这项申请'
  if (request.status !== 'open') return '该申请已办结'
  Object.assign(request, {
    status: action === 'approve' ? 'approved' : 'refused',
    comment,
    version: request.version + 1,
    at: new Date().toISOString(),
  })
  state.handled = [...state.handled.slice(-999), id]
  save()
  // After the answer: the portal then shows the new state. It compares hourly what was lost in transit.
  setTimeout(() => {
    void putTask(request).catch((error) => console.error(String(error)))
    notifyDecision(request)
  }, 100)
  return undefined
}
