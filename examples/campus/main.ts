// The systems of the demo institution in one small process, to which the services of the demo portal lead. `npm start`
// runs it beside the portal. Members sign in by OpenID Connect; requests made here are decided in the portal's to-dos.
//   PORTAL, ORIGIN   addresses of the portal and of this process
//   CAMPUS_SECRET    secret shared with the portal
//   PORT, HOST, CAMPUS_FILE   where it listens, and the file that stores members' data
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { answerPortal } from '../../apps/server/demo/card-library.ts'
import { services } from '../../apps/server/demo/services.ts'
import { card, cardLibrary, submitCard } from './card.ts'
import { dorm, repair, submitDorm, submitRepair } from './dorm.ts'
import { css, type Html, html, type Language, page, type Words } from './html.ts'
import { catalogue, loans, submitLibrary } from './library.ts'
import { offerPage, submitBooking } from './life.ts'
import { type FormHandler, type Outcome, outcomes, type Page } from './pages.ts'
import {
  beginSignIn,
  completeSignIn,
  hasPortalSignature,
  isPortalQuery,
  origin,
  portal,
  type Session,
  sessionOf,
  taskOf,
} from './portal.ts'
import { decide } from './requests.ts'
import { state } from './state.ts'
import { grades, leave, submitLeave, submitRecheck } from './study.ts'

/** Services that work here; the others show a placeholder. */
const systems: Record<string, { page: Page; onSubmit: FormHandler }> = {
  '/jw/score': { page: grades, onSubmit: submitRecheck },
  '/xg/leave': { page: leave, onSubmit: submitLeave },
  '/jw/selection': { page: offerPage('courses'), onSubmit: submitBooking('courses') },
  '/bus/home': { page: offerPage('bus'), onSubmit: submitBooking('bus') },
  '/lib/seats': { page: offerPage('seats'), onSubmit: submitBooking('seats') },
  '/lib/rooms': { page: offerPage('rooms'), onSubmit: submitBooking('rooms') },
  '/oa/meetings': { page: offerPage('rooms'), onSubmit: submitBooking('rooms') },
  '/repair/home': { page: repair, onSubmit: submitRepair },
  '/dorm/home': { page: dorm, onSubmit: submitDorm },
  '/card/home': { page: card, onSubmit: submitCard },
  '/lib/loans': { page: loans, onSubmit: submitLibrary },
  '/lib/catalogue': { page: catalogue, onSubmit: submitLibrary },
}
const servicesByPath = new Map(services.map((service) => [pathOf(service.url), service] as const))
/** First host label and path of a demo address. */
function pathOf(url: string) {
  const found = /^https:\/\/([^.]+)\.jianglan\.example(\/.*)$/.exec(url)
  return found ? `/${found[1]}${found[2]}` : url
}

const maxBody = 100_000
async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > maxBody) throw new TooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
class TooLarge extends Error {}

const cookieOf = ({ headers }: IncomingMessage, name: string) =>
  new RegExp(`(?:^|; )campus-${name}=([^;]+)`).exec(headers.cookie ?? '')?.[1]
const setCookie = (response: ServerResponse, name: string, value: string) =>
  response.appendHeader('set-cookie', `campus-${name}=${value}; Path=/; HttpOnly; SameSite=Lax`)

function languageOf(request: IncomingMessage, url: URL): Language {
  const chosen = url.searchParams.get('language') ?? cookieOf(request, 'language')
  if (chosen === 'zh' || chosen === 'en') return chosen
  return /^\s*en/i.test(request.headers['accept-language'] ?? '') ? 'en' : 'zh'
}

/** Inside the portal's frame, its own bar leads back. */
const backOf = ({ headers }: IncomingMessage) =>
  headers['sec-fetch-dest'] === 'iframe' ? undefined : portal

function sendPage(response: ServerResponse, status: number, text: string) {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy':
      "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
  })
  response.end(text)
}

async function handleRequest(request: IncomingMessage, response: ServerResponse) {
  const url = new URL(request.url ?? '/', origin)
  const { pathname } = url
  if (pathname === '/campus.css') {
    response.writeHead(200, { 'content-type': 'text/css', 'cache-control': 'max-age=300' })
    return response.end(css)
  }
  if (pathname === '/told') return handleTaskCall(request, response)
  if (pathname.startsWith('/api/')) return handleSourceCall(request, response, url)
  if (pathname === '/signed-in') {
    const signIn = await completeSignIn(cookieOf(request, 'request'), url)
    if (!signIn) return redirect(response, '/')
    setCookie(response, 'session', signIn.session)
    return redirect(response, signIn.to)
  }
  const language = languageOf(request, url)
  if (url.searchParams.has('language')) setCookie(response, 'language', language)
  // Some addresses name a part of a page: `/card/home/lost`.
  const system = systems[pathname.split('/').slice(0, 3).join('/')]
  if (system) return serve(system, { request, response, url, language })
  return placeholder(request, response, pathname, language)
}

type PageRequest = {
  request: IncomingMessage
  response: ServerResponse
  url: URL
  language: Language
}

async function serve(
  system: { page: Page; onSubmit: FormHandler },
  { request, response, url, language }: PageRequest,
) {
  const session = sessionOf(cookieOf(request, 'session'))
  if (!session) {
    const { key, address } = await beginSignIn(url.pathname)
    setCookie(response, 'request', key)
    return redirect(response, address)
  }
  if (request.method === 'POST') {
    // A form from another site does not express the member's intent.
    if (request.headers.origin !== origin) return sendPage(response, 403, 'Forbidden')
    const outcome = await handleForm(
      system.onSubmit,
      session,
      new URLSearchParams(await readBody(request)),
    )
    return redirect(response, `${url.pathname}?said=${outcome}`)
  }
  const { title, body } = system.page(session, language, url.searchParams)
  const notice = outcomes[url.searchParams.get('said') as Outcome]
  sendPage(
    response,
    200,
    page(language, {
      title: title[language],
      back: backOf(request),
      name: session.name,
      body: html`${notice ? html`<p class="notice" role="status">${notice[language]}</p>` : ''}${body}`,
    }),
  )
}

const handleForm = async (
  onSubmit: FormHandler,
  session: Session,
  form: URLSearchParams,
): Promise<Outcome> => {
  try {
    return await onSubmit(session, form)
  } catch (error) {
    console.error(String(error))
    return 'down'
  }
}

/** One sentence on what an institution would have here, or what one of its systems offers. */
function placeholder(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  language: Language,
) {
  const found = findPlaceholder(path, language)
  sendPage(
    response,
    found ? 200 : 404,
    page(language, {
      title: found?.title ?? (language === 'zh' ? '演示系统' : 'Demo systems'),
      back: backOf(request),
      body: html`<section>${found?.body ?? html`<p class="muted">${language === 'zh' ? '没有这个页面。' : 'This page does not exist.'}</p>`}</section>`,
    }),
  )
}

const placeholderText = {
  zh: '在学校里，这里会打开真实的业务系统；演示中没有接入。',
  en: 'At an institution its own system opens here; the demo has none.',
}
/** Placeholders for files and papers that the demo names. */
const documents: [RegExp, Words, Words][] = [
  [
    /^\/www\/files\/[\w-]+\.(pdf|docx|xlsx)$/,
    { zh: '学校文件', en: 'A file of the university' },
    {
      zh: '在学校里，这里会打开这份文件；演示中没有它。',
      en: 'At an institution the file opens here; the demo does not have it.',
    },
  ],
  [
    /^\/repository\/papers\/[\w-]+$/,
    { zh: '论文', en: 'Paper' },
    {
      zh: '在学校里，这里会打开机构知识库中的论文；演示中没有它。',
      en: 'At an institution the paper opens here; the demo does not have it.',
    },
  ],
]

function findPlaceholder(
  path: string,
  language: Language,
): { title: string; body: Html } | undefined {
  if (path === '/')
    return {
      title: language === 'zh' ? '演示系统' : 'Demo systems',
      body: html`<p class="muted">${placeholderText[language]}</p>`,
    }
  const service = servicesByPath.get(path)
  if (service) {
    const [title, summary] =
      language === 'zh'
        ? [service.name, `${service.summary}。`]
        : [service.nameEn, `${service.summaryEn}.`]
    return { title, body: html`<p>${summary}</p><p class="muted">${placeholderText[language]}</p>` }
  }
  for (const [pattern, title, text] of documents)
    if (pattern.test(path)) return { title: title[language], body: html`<p>${text[language]}</p>` }
  const [, label = '', home] = path.split('/')
  const offered = services.filter(({ url }) => pathOf(url).startsWith(`/${label}/`))
  if (home !== 'home' || offered.length === 0) return undefined
  return {
    title: language === 'zh' ? '服务大厅' : 'Services',
    body: html`<ul>${offered.map(
      (one) =>
        html`<li><a class="row" href="${pathOf(one.url)}">${language === 'zh' ? one.name : one.nameEn}</a></li>`,
    )}</ul>`,
  }
}

/** Receives decisions from the portal, and lists open requests for it. */
async function handleTaskCall(request: IncomingMessage, response: ServerResponse) {
  const body = await readBody(request)
  if (!hasPortalSignature(request.headers, body)) return response.writeHead(401).end()
  response.setHeader('content-type', 'application/json')
  if (request.method === 'GET') {
    const open = state.requests.filter(({ status }) => status === 'open').slice(-500)
    return response.end(JSON.stringify({ tasks: open.map(taskOf) }))
  }
  const { data } = JSON.parse(body)
  const reason = decide(data.id, data.task, data.action, data.comment ?? '')
  response.end(JSON.stringify(reason ? { accepted: false, reason } : { accepted: true }))
}

/** Answers the portal's queries about cards and loans, and carries out members' actions. */
async function handleSourceCall(request: IncomingMessage, response: ServerResponse, url: URL) {
  const body = await readBody(request)
  const isPost = request.method === 'POST'
  const isAuthorized = isPost
    ? hasPortalSignature(request.headers, body)
    : isPortalQuery(request.headers)
  if (!isAuthorized) return response.writeHead(401).end()
  const reply = answerPortal(cardLibrary, url, isPost ? JSON.parse(body) : undefined)
  response.writeHead(reply.status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(reply.body))
}

const redirect = (response: ServerResponse, to: string) =>
  response.writeHead(303, { location: to, 'cache-control': 'no-store' }).end()

const { PORT = '8081', HOST = '127.0.0.1', CAMPUS_SECRET = '' } = process.env
if (CAMPUS_SECRET.length < 32) throw new Error('CAMPUS_SECRET must have at least 32 characters')
createServer((request, response) => {
  handleRequest(request, response).catch((error: unknown) => {
    if (!(error instanceof TooLarge)) console.error(error)
    if (response.headersSent) return response.destroy()
    const language = /^\s*en/i.test(request.headers['accept-language'] ?? '') ? 'en' : 'zh'
    sendPage(
      response,
      error instanceof TooLarge ? 413 : 502,
      page(language, {
        title: language === 'zh' ? '暂时打不开' : 'This cannot be opened now',
        back: backOf(request),
        body: html`<section><p>${language === 'zh' ? '没有成功，请返回门户再试一次。' : 'That did not work. Please go back to the portal and try again.'}</p></section>`,
      }),
    )
  })
}).listen(Number(PORT), HOST, () => console.log(`The demo’s systems are at ${origin}`))
