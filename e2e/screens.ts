import path from 'node:path'
import { endpoints } from '@atrium/contract'
import { scanLogin } from '@atrium/contract/identity/scan-login'
import { confirmPassword, idToken, type Username } from './session.ts'

/**
 * The fields of a screen used here. The portal's own type cannot be imported: it belongs to a program for the browser.
 */
export type Screen = {
  area: string
  access: string
  tab?: number
  search?: Record<string, (value: undefined) => unknown>
}

const routes: string = path.join(path.dirname(import.meta.dirname), 'apps/portal/src/routes.ts')
/** The portal's own map of screens. */
export const { screens } = (await import(routes)) as { screens: Record<string, Screen> }

/** Lists that provide the `id` required by an area's screens: the first item is used. */
const listByArea: Record<string, string> = {
  messages: endpoints.messages.list.path,
  news: endpoints.news.list.path,
  article: endpoints.news.list.path,
  'event-detail': `${endpoints.schedule.events.path}?from=${dayFromNow(0)}&to=${dayFromNow(30)}`,
  calendars: endpoints.calendars.list.path,
  services: endpoints.services.list.path,
  tasks: endpoints.tasks.list.path,
  todos: endpoints.todos.list.path,
}
const period = `from=${dayFromNow(-20)}&to=${dayFromNow(40)}`
const departmentEvents = `${endpoints.departmentEvents.list.path}?${period}`
const guideList = `${endpoints.services.list.path}?keyWords=${encodeURIComponent('学生证补办')}`
const listByAddress: Record<string, string> = {
  '/pages/secondWork/schedule/shedulDetail': departmentEvents,
  '/pages/secondWork/schedule/personDetail': departmentEvents,
  '/pages/secondWork/schedule/editSchedul': departmentEvents,
  '/pages/shedul/newsAddShedul': endpoints.news.list.path,
  '/msgCenter/pages/schedule/newsAddSchedule': endpoints.news.list.path,
  '/pages/shedul/taskAddShedul': endpoints.tasks.list.path,
  '/msgCenter/pages/schedule/taskAddSchedule': endpoints.tasks.list.path,
  '/pages/service/newGuide': guideList,
  '/pages/service/serviceGuide': guideList,
  '/msgCenter/pages/task/doneDetail': `${endpoints.tasks.list.path}?level=myDone`,
}

/** Address fields that no list of the demo provides. */
const samples: Record<string, string> = {
  '/pages/myInfo/suggestRecord': 'id=15',
  '/pages/secondWork/feedback/detail': 'id=15',
  '/pages/myInfo/suggestNew': 'kindId=3',
  '/addressBook/person': 'accountName=teacher',
  '/addressBook/group': 'id=1',
  // the first course, attended by the student and given by the teacher, and its last assignment
  '/study-center/pages/studyCenter/teachingCourse': 'id=1',
  '/study-center/pages/studyCenter/assignment': 'id=3&course=1',
  '/pages/robot/question': 'id=1',
  '/pages/robot/deskDialog': 'dialogId=2',
  '/preview-image': 'urls=%2Ffiles%2F1%2C%2Ffiles%2F2&current=1',
  '/open-location':
    'id=4&latitude=29.4312&longitude=120.2846&name=%E5%9B%BE%E4%B9%A6%E9%A6%86&nameEn=Library&address=%E5%AD%A6%E5%BA%9C%E8%B7%AF%201%20%E5%8F%B7&addressEn=1%20Xuefu%20Road',
  '/pagesA/news/video': 'url=%2Ffiles%2F1',
  '/pages/scanCode/plainText': 'text=https%3A%2F%2Fexample.org%2Fa',
  '/pages/search/wholeSearch':
    'keyWords=%E5%9B%BE%E4%B9%A6%E9%A6%86%E5%87%A0%E7%82%B9%E5%85%B3%E9%97%A8',
  '/pages/search/allSearch': 'keyWords=tushuguan',
  '/pages/search/singleSearch': 'keyWords=lib&type=place',
  '/pages/search/service': 'keyWords=xk',
  '/pages/search/schedule': 'keyWords=%E8%AF%BE',
  '/pages/search/task': 'keyWords=%E7%94%B3%E8%AF%B7',
  // a message sent by the administrator
  '/msgCenter/pages/onlineSend/sendResult': 'sendId=1',
  '/msgCenter/pages/onlineSend/userGroup': 'part=courses',
  '/msgCenter/pages/task/apply': 'code=leave',
  // the campus card, which the student has used
  '/pages/service/evaluate': 'serviceId=35',
  '/pages/webview/webview': 'url=https%3A%2F%2Fexample.org%2Fa',
  '/pages/webview/plus-webview': 'url=https%3A%2F%2Fexample.org%2Fa',
}

/** The address with required fields from the demo's data; undefined if they are unknown. */
export async function openingAddress(url: string, address: string, screen: Screen) {
  // Otherwise every change of the account asks for the password first.
  if (['account', 'security-questions'].includes(screen.area)) await confirmPassword(url, 'student')
  if (address === '/pages/login/scanConfirm') return scannedAddress(url)
  if (samples[address]) return `${address}?${samples[address]}`
  const missing = requiredFields(screen)
  if (missing.length === 0) return address
  if (screen.area === 'share') return sharedAddress(url, address)
  const list = listByAddress[address] ?? listByArea[screen.area]
  const [field = '', ...more] = missing
  if (!list || more.length > 0 || !/^(id|serviceId)$/.test(field)) return undefined
  return `${address}?${field}=${await firstId(url, list, field)}`
}

/** As a phone reads it from the code on a waiting computer. */
async function scannedAddress(url: string) {
  const answer = await fetch(`${url}${scanLogin.begin.path}`, { method: 'POST' })
  const body = (await answer.json()) as { data: { url: string } }
  const { pathname, search } = new URL(body.data.url)
  return pathname + search
}

/** A named share by a member of the first item visible to visitors. */
async function sharedAddress(url: string, address: string) {
  const kind = address.includes('news') ? 'news' : 'service'
  const list = endpoints[kind === 'news' ? 'news' : 'services'].list.path
  const reply = await fetch(`${url}${list}`)
  const { data } = (await reply.json()) as { data: { list: Record<string, string>[] } }
  const { id, serviceId } = data.list[0] ?? {}
  const link = `${url}${endpoints.share.link.path}?kind=${kind}&id=${id ?? serviceId}&named=true`
  const answer = await fetch(link, { headers: { 'x-id-token': await idToken(url, 'student') } })
  const shared = (await answer.json()) as { data: { url: string } }
  const { pathname, search } = new URL(shared.data.url)
  return pathname + search
}

function requiredFields({ search = {} }: Screen) {
  return Object.entries(search).flatMap(([name, parse]) => {
    try {
      parse(undefined)
      return []
    } catch {
      return [name]
    }
  })
}

/** Areas for members who publish, send or answer at a desk: the demo's admin. */
const adminAreas = ['desk', 'recipients', 'sending']
export const isForOperators = (path: string, { area }: Pick<Screen, 'area'>) =>
  path.startsWith('/pages/secondWork/') || adminAreas.includes(area)

/** Screens for teachers. */
const teachersOnly = ['/study-center/pages/studyCenter/assignment']

/** The account that views a screen: none, the student, or a member who works there. */
export const visitorOf = (path: string, screen: Screen): Username | undefined => {
  if (screen.access === 'public') return undefined
  if (teachersOnly.includes(path)) return 'teacher'
  return isForOperators(path, screen) ? 'admin' : 'student'
}

async function firstId(url: string, path: string, field: string) {
  const answer = await fetch(`${url}${path}`, {
    headers: {
      'x-id-token': await idToken(url, path.startsWith('/console-api/') ? 'admin' : 'student'),
    },
  })
  type Rows = Record<string, string>[]
  const { data } = (await answer.json()) as { data: Rows | { list: Rows } }
  const list = Array.isArray(data) ? data : data.list
  return list[0]?.[field] ?? ''
}

function dayFromNow(days: number) {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
}
