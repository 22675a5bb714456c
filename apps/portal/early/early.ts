import { sessions } from '@atrium/contract/identity/sessions'
import { config } from '@atrium/contract/shell/config'
import { home } from '@atrium/contract/shell/home'
import { pageVersionHeader } from '@atrium/rules/page-version-header'
import type { EarlyAnswer, EarlyAnswers } from '../src/lib/early-answers.ts'
import { read } from './device.ts'
import { fillPlaceholders } from './fill-placeholders.ts'
import { paintTab } from './paint-tab.ts'

/*
 * A separate script that runs while the app is still loading: it makes the requests that nearly every start needs, so
 * that the answers are there when the app is. lib/early-answers.ts uses them. It must stay small and may only import
 * values.
 */
const started = window as unknown as { earlyAnswers?: EarlyAnswers }

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
const { routeMap, tabs, visitorTabs } = document.currentScript?.dataset ?? {}
const fetchesByTab: Record<string, string> = JSON.parse(tabs ?? '{}')
const visitorFetchesByTab: Record<string, string> = JSON.parse(visitorTabs ?? '{}')
const preloads = (fetchesByTab[location.pathname] ?? routeMap ?? '').split(' ')
const isFile = (address: string) => address.startsWith('/assets/')
const now = new Date()
const device = {
  userAgent: navigator.userAgent,
  maxTouchPoints: navigator.maxTouchPoints,
  today: new Date(+now - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10),
}

function preload() {
  if (startsAtHome) return
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

// With a credential in the address another member may be meant; with a no-login flag, no member.
const isMemberUnclear = /[?&](token|idToken|ticket|noLogin|serviceInfo)=/.test(location.search)
if (!started.earlyAnswers && !isMemberUnclear) {
  const token = read('idToken') || null
  const language = read('language')
  const answers: EarlyAnswers['answers'] = {}
  const fetchData = (path: string, member: boolean): Promise<unknown> =>
    fetch(path, {
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
  const request = (path: string, member: boolean) => {
    const answer = fetchData(path, member)
    const early: EarlyAnswer = { answer }
    answers[path] = early
    void answer.then((data) => {
      if (data !== undefined) early.arrived = { data, at: Date.now() }
    })
  }
  // The first of all requests: its answer is the first thing to show.
  if (location.pathname in (token ? fetchesByTab : visitorFetchesByTab) && !isExpired(token ?? ''))
    void paintTab(
      (path) => fetchData(path, true),
      preloads.filter((address) => address.endsWith('.css')),
    )
  preload()
  request(config.system.path, false)
  // Members' data is only requested with a valid token; otherwise the app requests it after the renewal.
  const renewal =
    token && isExpired(token)
      ? fetch(sessions.refresh.path, { method: sessions.refresh.method }).catch(() => undefined)
      : undefined
  if (token && !renewal) request(config.detail.path, true)
  if (!renewal && !startsAtHome) {
    const visitorPaths = (visitorFetchesByTab[location.pathname] ?? '').split(' ')
    for (const path of token ? preloads : visitorPaths) {
      const address = path && !isFile(path) ? fillPlaceholders(path, device) : undefined
      if (address) request(address, true)
    }
  }
  if (!renewal && startsAtHome) request(home.read.path, true)
  started.earlyAnswers = { token, answers, renewal }
} else preload()
