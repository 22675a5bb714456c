// A purchasing system that cannot push: it lists open approvals and accepts decisions. It does not know the portal;
// approvals.json beside it tells the portal how to query it. Configured by environment variables:
//   API_KEY=… PORT=8091 node examples/tasks/approvals.mjs teacher student
// Needs only Node.
import { createServer } from 'node:http'

const { API_KEY, PORT = '8091' } = process.env
const [approver, applicant] = process.argv.slice(2)
if (!API_KEY || !approver || !applicant) {
  console.error('API_KEY=… node approvals.mjs APPROVER APPLICANT')
  process.exit(2)
}

const now = new Date().toISOString()
const approvals = ['显微镜', '投影仪', '打印纸'].map((subject, index) => ({
  id: `${Date.now()}-${index}`,
  updatedAt: now,
  createdAt: now,
  deadline: '2026-12-31',
  subject,
  priority: index === 0 ? 1 : 2,
  amount: (index + 1) * 1000,
  purpose: '教学',
  applicant: { login: applicant, name: null },
  approvers: [approver],
  state: 'open',
}))

function list(query) {
  const open = approvals.filter(({ state }) => state === query.get('state'))
  // The page size is always two, whatever is requested.
  const start = (Number(query.get('page')) - 1) * 2
  return { data: { total: open.length, rows: open.slice(start, start + 2) } }
}

async function decide(id, { decision, opinion, user, quotes }) {
  const approval = approvals.find((one) => one.id === id)
  if (approval?.state !== 'open') return { code: 1, message: '该申请已办结' }
  if (approval.amount > 2000 && decision === 'AGREE') {
    if (!quotes) return { code: 2, message: '超过 2000 元，请附上比价单' }
    // The address is valid for an hour without an account: fetch the file now and store it.
    const file = await fetch(quotes)
    if (!file.ok) return { code: 3, message: '未能取得比价单，请重试' }
    approval.quotes = Buffer.from(await file.arrayBuffer())
    console.log(`quotes for ${approval.subject}: ${approval.quotes.length} bytes`)
  }
  approval.state = decision
  console.log(`${user}: ${decision} ${approval.subject} ${opinion}`)
  return { code: 0, message: '' }
}

const server = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => (body += chunk))
  request.on('end', async () => {
    if (request.headers['x-api-key'] !== API_KEY) return response.writeHead(401).end()
    const { pathname, searchParams } = new URL(request.url, 'http://localhost')
    const [, id] = /^\/api\/approvals\/([^/]+)\/decision$/.exec(pathname) ?? []
    response.setHeader('content-type', 'application/json')
    if (request.method === 'GET' && pathname === '/api/approvals')
      return response.end(JSON.stringify(list(searchParams)))
    if (request.method === 'POST' && id)
      return response.end(JSON.stringify(await decide(decodeURIComponent(id), JSON.parse(body))))
    response.writeHead(404).end()
  })
})
server.listen(Number(PORT), '127.0.0.1', () =>
  console.log(`${approvals.length} approvals are open`),
)
