import { notify, putTask, type Session } from './portal.ts'
import { keep, type Request, state } from './state.ts'

type Asked = Pick<Request, 'kind' | 'title' | 'titleEn' | 'form'> & { course?: string }

/** Something that is decided in the portal's to-dos. @throws when the portal does not take it */
export async function ask(session: Session, what: Asked) {
  const request: Request = {
    id: `${what.kind}-${crypto.randomUUID()}`,
    version: 1,
    username: session.username,
    name: session.name,
    status: 'open',
    comment: '',
    at: new Date().toISOString(),
    ...what,
  }
  // What the portal did not take is not there here either: the person tries again.
  await putTask(request)
  state.requests.push(request)
  keep()
  return 'sent' as const
}

/** Where each kind stands, and which of the portal's applications tells of it. */
const places = {
  leave: { app: 'student', path: '/xg/leave' },
  recheck: { app: 'jw', path: '/jw/score' },
  repair: { app: 'repair', path: '/repair/home' },
}

function tellDecision(request: Request) {
  const yes = request.status === 'approved'
  const { app, path } = places[request.kind]
  const [word, wordEn] =
    request.kind === 'repair'
      ? yes
        ? ['已修好', 'Repaired']
        : ['无法维修', 'Not repaired']
      : yes
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

/** What somebody did in the portal. @returns why it cannot be taken; nothing where it was */
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
  keep()
  // After the answer: the portal shows what has become of it. Every hour it compares what was lost on the way.
  setTimeout(() => {
    void putTask(request).catch((error) => console.error(String(error)))
    tellDecision(request)
  }, 100)
  return undefined
}
