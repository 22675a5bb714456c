import { config } from '@atrium/contract/config'
import { home } from '@atrium/contract/home'
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

// A credential in the address says that somebody else may be meant, a start without login that nobody is.
const undecided = /[?&](token|idToken|ticket|noLogin|serviceInfo)=/.test(location.search)
if (!started.earlyAnswers && !undecided) {
  const token = readStored('idToken')
  const answers: EarlyAnswers['answers'] = {}
  const ask = (path: string, member: boolean) => {
    answers[path] = fetch(path, {
      headers: {
        Accept: 'application/json',
        ...(member && token ? { 'X-Id-Token': token } : {}),
      },
    }).catch(() => undefined)
  }
  ask(config.system.path, false)
  if (token) ask(config.detail.path, true)
  if (/^\/(pages\/tab\/index\/index)?$/.test(location.pathname)) ask(home.read.path, true)
  started.earlyAnswers = { token, answers }
}
