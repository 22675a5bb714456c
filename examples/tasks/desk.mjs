// A small leave desk: submits one application, receives the approver's action, and lists open applications. Configured
// by environment variables:
//   PORTAL=http://localhost:8080 CLIENT_ID=leave-system CLIENT_SECRET=… SECRET=whsec_… PORT=8090 node examples/tasks/desk.mjs teacher student
// Needs only Node.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const { PORTAL, CLIENT_ID, CLIENT_SECRET, SECRET, PORT = '8090' } = process.env
const [approver, applicant] = process.argv.slice(2)
if (!PORTAL || !CLIENT_ID || !CLIENT_SECRET || !SECRET || !approver || !applicant) {
  console.error('PORTAL=… CLIENT_ID=… CLIENT_SECRET=… SECRET=… node desk.mjs APPROVER APPLICANT')
  process.exit(2)
}

/** The desk's own record of the application; all of it is sent on every change. */
const leave = {
  key: `leave-${Date.now()}`,
  version: 1,
  title: '请假申请（2 天）',
  applicant: { username: applicant },
  status: 'progress',
  form: [
    { label: '事由', value: '参加竞赛' },
    { label: '天数', value: '2' },
  ],
  steps: [
    {
      key: 'approval',
      username: approver,
      name: '审批',
      actions: [
        // Approval requires the approver's confirmed identity, not older than ten minutes.
        { code: 'approve', text: '同意', textEn: 'Approve', tone: 'primary', confirm: true },
        {
          code: 'refuse',
          text: '不同意',
          textEn: 'Refuse',
          tone: 'danger',
          comment: 'required',
          fields: [
            {
              name: 'plan',
              label: '考试安排',
              labelEn: 'Exam plan',
              kind: 'files',
              required: false,
            },
          ],
        },
      ],
    },
  ],
}

/** A token for this client, valid for ten minutes: cache it for that time. */
async function getToken() {
  const response = await fetch(`${PORTAL}/cas/oidc/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64')}`,
    },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      resource: `${PORTAL}/transaction`,
    }),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.error_description ?? answer.error)
  return answer.access_token
}

async function putTasks(tasks) {
  const response = await fetch(`${PORTAL}/transaction/api/v1/integration/tasks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await getToken()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ tasks }),
  })
  const { data, message, fields } = await response.json()
  if (!response.ok) throw new Error(`${message} ${JSON.stringify(fields ?? {})}`)
  return data
}

/** Standard Webhooks signature; libraries exist for most languages. */
function isFromPortal(
  { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': provided },
  body,
) {
  const key = Buffer.from(SECRET.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest()
  const signature = Buffer.from(String(provided).replace(/^v1,/, ''), 'base64')
  const isFresh = Math.abs(Date.now() / 1000 - Number(at)) < 300
  return isFresh && signature.length === expected.length && timingSafeEqual(signature, expected)
}

/** Actions already processed: a call whose answer was lost is repeated. */
const handled = new Set()

function handle({ id, task, action, comment, files, by }) {
  if (task !== leave.key) return { accepted: false, reason: '没有这项申请' }
  if (handled.has(id)) return { accepted: true }
  if (leave.status !== 'progress') return { accepted: false, reason: '该申请已办结' }
  handled.add(id)
  leave.version++
  leave.status = action === 'approve' ? 'finish' : 'break'
  Object.assign(leave.steps[0], {
    action: action === 'approve' ? '同意' : '不同意',
    comment,
    doneAt: new Date().toISOString(),
  })
  console.log(`${by.name}: ${action} ${comment}`)
  // Each file can be fetched at its address for an hour, without a token.
  for (const { name, size } of files?.plan ?? []) console.log(`${name}, ${size} bytes`)
  // After the answer: the portal then shows the desk's result.
  setTimeout(() => putTasks([leave]).then(() => server.close(), console.error), 100)
  return { accepted: true }
}

const server = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => (body += chunk))
  request.on('end', () => {
    if (!isFromPortal(request.headers, body)) return response.writeHead(401).end()
    response.setHeader('content-type', 'application/json')
    // The list of open tasks, which the portal compares every hour.
    if (request.method === 'GET')
      return response.end(JSON.stringify({ tasks: leave.status === 'progress' ? [leave] : [] }))
    response.end(JSON.stringify(handle(JSON.parse(body).data)))
  })
})
server.listen(Number(PORT), '127.0.0.1', async () => {
  const [{ key, result, unknown }] = await putTasks([leave])
  console.log(`${key}: ${result}${unknown.length > 0 ? `, unknown: ${unknown}` : ''}`)
})
