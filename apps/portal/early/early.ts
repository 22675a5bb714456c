import { sessions } from '@atrium/contract/identity/sessions'
import { config } from '@atrium/contract/shell/config'
import { home } from '@atrium/contract/shell/home'
import { pageMark } from '@atrium/rules/page-mark'
import { gridOf } from '../src/domains/work/schedule/days.ts'
import type { EarlyAnswers } from '../src/lib/early-answers.ts'

/*
 * A script of its own, which the browser runs while the app is still on its way: it asks for what nearly every start needs, so
 * that the answers are here when the app is. lib/early-answers.ts takes them up. It must stay small and import values alone.
 */
const started = window as unknown as { earlyAnswers?: EarlyAnswers }

function readStored(key: string) {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function hasRunOut(token: string) {
  try {
    const payload = atob((token.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/'))
    return JSON.parse(payload).exp * 1000 < Date.now()
  } catch {
    return false
  }
}

// A start on another tab needs its code, any other one the whole route map: they come along with the app, rather than after it.
const startsAtHome = /^\/(pages\/tab\/index\/index)?$/.test(location.pathname)
const { routeMap, tabs } = document.currentScript?.dataset ?? {}
const wanted: string[] = (JSON.parse(tabs ?? '{}')[location.pathname] ?? routeMap ?? '').split(' ')
const isFile = (address: string) => address.startsWith('/assets/')
if (!startsAtHome) {
  for (const href of wanted.filter(isFile)) {
    const link = document.createElement('link')
    const isStyle = href.endsWith('.css')
    link.rel = isStyle ? 'preload' : 'modulepreload'
    if (isStyle) link.as = 'style'
    // As the app asks for it afterwards, or it is fetched twice.
    link.crossOrigin = ''
    link.href = href
    document.head.append(link)
  }
}

/** A question with what only the device knows; none where that takes more than a look. A wrong guess costs an answer nobody takes up. */
function filledIn(path: string): string | undefined {
  const { userAgent, maxTouchPoints } = navigator
  if (
    path.includes('%terminal%') &&
    /MicroMessenger|AlipayClient|SuperApp|QQ\/|TIM\//.test(userAgent)
  )
    return undefined
  const isMobile =
    /Android|iPhone|iPad|iPod|Harmony|ArkWeb/.test(userAgent) ||
    (maxTouchPoints > 1 && userAgent.includes('Macintosh'))
  const now = new Date()
  const days = gridOf(new Date(+now - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 7))
  return path
    .replace('%terminal%', isMobile ? '6' : '1')
    .replace('%from%', days[0] ?? '')
    .replace('%to%', days[41] ?? '')
}

// A credential in the address says that somebody else may be meant, a start without login that nobody is.
const undecided = /[?&](token|idToken|ticket|noLogin|serviceInfo)=/.test(location.search)
if (!started.earlyAnswers && !undecided) {
  const token = readStored('idToken')
  const language = readStored('language')
  const answers: EarlyAnswers['answers'] = {}
  const ask = (path: string, member: boolean) => {
    answers[path] = fetch(path, {
      headers: {
        Accept: 'application/json',
        ...pageMark,
        ...(language && { 'Accept-Language': language }),
        ...(member && token ? { 'X-Id-Token': token } : {}),
      },
    }).catch(() => undefined)
  }
  ask(config.system.path, false)
  // What a member sees is worth asking for with a good token alone; the app asks for it when the fresh one is here.
  const renewal =
    token && hasRunOut(token)
      ? fetch(sessions.refresh.path, { method: sessions.refresh.method }).catch(() => undefined)
      : undefined
  if (token && !renewal) {
    ask(config.detail.path, true)
    if (!startsAtHome)
      for (const path of wanted) {
        const address = isFile(path) ? undefined : filledIn(path)
        if (address) ask(address, true)
      }
  }
  if (!renewal && startsAtHome) ask(home.read.path, true)
  started.earlyAnswers = { token, answers, renewal }
}
