import { sessions } from '@atrium/contract/identity/sessions'
import { config } from '@atrium/contract/shell/config'
import { home } from '@atrium/contract/shell/home'
import { pageVersionHeader } from '@atrium/rules/page-version-header'
import { gridOf } from '../src/domains/work/schedule/days.ts'
import type { EarlyAnswer, EarlyAnswers } from '../src/lib/early-answers.ts'

/*
 * A separate script that runs while the app is still loading: it makes the requests that nearly every start needs, so
 * that the answers are there when the app is. lib/early-answers.ts uses them. It must stay small and may only import
 * values.
 */
const started = window as unknown as { earlyAnswers?: EarlyAnswers }

function readStored(key: string) {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function isExpired(token: string) {
  try {
    const payload = atob((token.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/'))
    return JSON.parse(payload).exp * 1000 < Date.now()
  } catch {
    return false
  }
}

// A start on another tab needs that tab's code, any other start the whole route map: preload them in parallel with the
// app.
const startsAtHome = /^\/(pages\/tab\/index\/index)?$/.test(location.pathname)
const { routeMap, tabs } = document.currentScript?.dataset ?? {}
const preloads: string[] = (JSON.parse(tabs ?? '{}')[location.pathname] ?? routeMap ?? '').split(
  ' ',
)
const isFile = (address: string) => address.startsWith('/assets/')
if (!startsAtHome) {
  for (const href of preloads.filter(isFile)) {
    const link = document.createElement('link')
    const isStyle = href.endsWith('.css')
    link.rel = isStyle ? 'preload' : 'modulepreload'
    if (isStyle) link.as = 'style'
    // Must match the app's later request, or the file is fetched twice.
    link.crossOrigin = ''
    link.href = href
    document.head.append(link)
  }
}

/**
 * Fills in values that only the device knows; undefined if they cannot be determined cheaply. A wrong guess only wastes
 * a request.
 */
function fillPlaceholders(path: string): string | undefined {
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

// With a credential in the address another member may be meant; with a no-login flag, no member.
const isMemberUnclear = /[?&](token|idToken|ticket|noLogin|serviceInfo)=/.test(location.search)
if (!started.earlyAnswers && !isMemberUnclear) {
  const token = readStored('idToken')
  const language = readStored('language')
  const answers: EarlyAnswers['answers'] = {}
  const request = (path: string, member: boolean) => {
    const answer: Promise<unknown> = fetch(path, {
      headers: {
        Accept: 'application/json',
        ...pageVersionHeader,
        ...(language && { 'Accept-Language': language }),
        ...(member && token ? { 'X-Id-Token': token } : {}),
      },
    })
      .then((response) => response.json())
      .then(({ code, data }) => (code === 0 ? data : undefined))
      .catch(() => undefined)
    const early: EarlyAnswer = { answer }
    answers[path] = early
    void answer.then((data) => {
      if (data !== undefined) early.arrived = { data, at: Date.now() }
    })
  }
  request(config.system.path, false)
  // Members' data is only requested with a valid token; otherwise the app requests it after the renewal.
  const renewal =
    token && isExpired(token)
      ? fetch(sessions.refresh.path, { method: sessions.refresh.method }).catch(() => undefined)
      : undefined
  if (token && !renewal) {
    request(config.detail.path, true)
    if (!startsAtHome)
      for (const path of preloads) {
        const address = isFile(path) ? undefined : fillPlaceholders(path)
        if (address) request(address, true)
      }
  }
  if (!renewal && startsAtHome) request(home.read.path, true)
  started.earlyAnswers = { token, answers, renewal }
}
