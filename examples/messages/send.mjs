// Sends one message and prints its result. Configured by environment variables:
//   PORTAL=http://localhost:8080 CLIENT_ID=library CLIENT_SECRET=… APP=loans node examples/messages/send.mjs student "Your book is due"
// FILE=bill.pdf attaches a file. Needs only Node's own fetch.
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'

const { PORTAL, CLIENT_ID, CLIENT_SECRET, APP = CLIENT_ID } = process.env
const [username, title] = process.argv.slice(2)
if (!PORTAL || !CLIENT_ID || !CLIENT_SECRET || !username || !title) {
  console.error('PORTAL=… CLIENT_ID=… CLIENT_SECRET=… APP=… node send.mjs USERNAME TITLE')
  process.exit(2)
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
      resource: `${PORTAL}/message`,
    }),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.error_description ?? answer.error)
  return answer.access_token
}

async function call(token, method, path, body) {
  const response = await fetch(`${PORTAL}/message/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'accept-language': 'en',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const { data, message, fields } = await response.json()
  if (!response.ok) throw new Error(`${message} ${JSON.stringify(fields ?? {})}`)
  return data
}

/** A file is uploaded first and referenced by the message. */
async function upload(token, path) {
  const form = new FormData()
  form.append('file', new Blob([await readFile(path)]), basename(path))
  const response = await fetch(`${PORTAL}/message/api/v1/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'accept-language': 'en' },
    body: form,
  })
  const { data, message } = await response.json()
  if (!response.ok) throw new Error(message)
  return data.fileId
}

const token = await getToken()
const { FILE } = process.env
const attachments = FILE ? [{ fileId: await upload(token, FILE) }] : []
const sent = await call(token, 'POST', '/messages', {
  // Chosen by the sender: a retry with the same key sends nothing.
  key: process.env.KEY ?? `example-${Date.now()}`,
  app: APP,
  // {{…}} in the texts is replaced for each recipient.
  to: { recipients: [{ username, variables: { username } }] },
  title,
  titleEn: title,
  summary: '{{username}}',
  attachments,
  url: '/pages/tab/index/index',
})
console.log(JSON.stringify(sent))
console.log(JSON.stringify(await call(token, 'GET', `/messages/${sent.id}`)))
