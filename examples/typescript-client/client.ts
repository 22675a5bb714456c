// Signs in, searches the services and counts unread messages, typed by the server's OpenAPI document.
import createClient from 'openapi-fetch'
import type { paths } from './dist/schema.d.ts'

const [, , search = ''] = process.argv
const { PORTAL = 'http://localhost:8080', MEMBER = '', PASSWORD = '' } = process.env
const portal = createClient<paths>({ baseUrl: PORTAL, headers: { 'Accept-Language': 'en' } })

const signIn = await portal.POST('/token/password/passwordLogin', {
  // Fields with a default are left out.
  body: { username: MEMBER, password: PASSWORD },
})
// Every refusal has a stable code in `error` and a text for people in `message`.
if (signIn.error) throw new Error(`${signIn.error.error}: ${signIn.error.message}`)
const answer = signIn.data.data
if (!('idToken' in answer)) throw new Error('This account has a further step at its sign-in.')
const headers = { 'X-Id-Token': answer.idToken }

const services = await portal.GET('/portal-api/v1/service/list', {
  params: { query: { keyWords: search } },
  headers,
})
for (const { serviceName, departmentName } of services.data?.data.list ?? [])
  console.log(`${serviceName} (${departmentName})`)

const unread = await portal.GET('/message/center/api/v1/messageCenter/getAllUnReadCount', {
  headers,
})
console.log(`${unread.data?.data} unread`)
