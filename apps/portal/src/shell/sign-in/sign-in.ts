import { identity } from '@atrium/contract/identity/identity'
import { config, type SystemConf } from '@atrium/contract/shell/config'
import { call, onServerFailure, onUnauthorised } from '#lib/api.ts'
import { environment } from '#lib/environment.ts'
import { recordEvent, sendEvents } from '#lib/events.ts'
import { getLanguage } from '#lib/language.ts'
import { q, queryClient } from '#lib/queries.ts'
import { onSessionOver } from '#lib/renewal.ts'
import { getSession, setSession } from '#lib/session.ts'
import { keysWith, waitingPrefix } from '#lib/storage.ts'
import { ask } from '#shell/container/container.ts'
import { getPlace, replace } from '#shell/navigation/history.ts'
import { leaveFor } from '#shell/navigation/page-exit.ts'
import { pathOf } from '#shell/navigation/page-stack.ts'
import { findScreen, homePath, screenAt } from '#shell/navigation/screens.ts'
import { joinSearch, splitSearch } from '#shell/navigation/search.ts'
import { forgetNotifications } from '#shell/notifications.ts'
import { inTime } from '#shell/with-timeout.ts'
import { toast } from '#ui/feedback/toast.tsx'

/** The address the central login sends members back to. Redeeming the ticket takes exactly the same string. */
const returnService = (target: string) =>
  `${location.origin}/page/index/index?returnTarget=${encodeURIComponent(target)}`

/**
 * Signs in and shows `target`, an address of the app: as whoever the host app knows, in a mini-program on the app's own
 * login page, else by the central login. The page left is not gone back to.
 */
export function signIn(target = getPlace().href) {
  if (environment.miniProgram)
    return replace(`/pages/login/login${joinSearch({ returnTarget: target })}`)
  if (environment.container !== 'superApp') return signInCentrally(target)
  import('#shell/container/host-sign-in.ts')
    .then(({ signInByHost }) => signInByHost())
    .then(
      () => getPlace().href === target || replace(target),
      () => signInCentrally(target),
    )
}

/**
 * Leaves for the central login, whatever the app runs in: ours, or one elsewhere that the institution has named. Which, the
 * system configuration says; where it cannot be had, ours.
 */
export function signInCentrally(target: string) {
  const system = q(config.system)
  const known = queryClient.getQueryData(system.queryKey)
  if (known) return leaveForLogin(target, known)
  void inTime(queryClient.fetchQuery(system)).then((told) => leaveForLogin(target, told))
}

/** What a login takes as an address to come back to, in characters. */
const maxServiceLength = 2000

function leaveForLogin(target: string, system: SystemConf | undefined) {
  const work = environment.isWeCom ? system?.wecomLogin : ''
  const begin = work || system?.centralLogin || '/cas/login'
  // One comes back to the screen at least when what it was told is too much to carry along.
  const whole = returnService(target).length <= maxServiceLength ? target : pathOf(target)
  if (begin !== '/cas/login') return leaveFor(`${begin}${joinSearch({ returnTarget: whole })}`)
  leaveFor(
    `/cas/login?${new URLSearchParams({ service: returnService(whole), lang: getLanguage() })}`,
  )
}

const logoutEvents = { h5: 'h5LogOut', wechat: 'wechatLogOut', app: 'appPlusLogOut' } as const

const signedOutPath = '/pages/login/signedOut'

/** Ends the session here and at the server, and the central one with it. */
export async function signOut() {
  let end = signedOutPath
  // What could still be undone is meant.
  if (keysWith(waitingPrefix).length > 0)
    await inTime(
      import('#shell/outbox.ts').then(({ sendOutgoing }) => sendOutgoing(true)),
      3000,
    ).catch(() => {})
  recordEvent(logoutEvents[environment.terminalLabel])
  // Afterwards nobody could say any more whose events they were.
  await sendEvents()
  try {
    const { logoutUrl, outsideUrl } = await call(identity.logout)
    if (outsideUrl) {
      // One page can be left for one address only: the central session ends beside it.
      await inTime(fetch(logoutUrl), 2000).catch(() => {})
      end = outsideUrl
    } else if (logoutUrl)
      // The central login ends its session too, and comes back to our own page.
      end = `${logoutUrl}${joinSearch({ service: location.origin + signedOutPath, lang: getLanguage() })}`
  } catch {
    // The server cannot be told; here the session ends all the same.
  }
  await ask('sysLogout').catch(() => {})
  // The server sends none after the session's end; a push service that hangs keeps nobody here.
  await inTime(forgetNotifications(), 2000)
  setSession(null)
  leaveFor(end)
}

/** What every screen may be told, whatever it reads itself. */
const flags = ['isHideTabbar', 'isHideReturnBtn', 'noLogin', 'serviceInfo']

/** Where a member may be sent after signing in: one of our own screens with what it reads of its address, else home. */
export function safeTarget(target = '') {
  const path = pathOf(target)
  const screen = screenAt(path)
  if (!screen) return homePath()
  const known = [...flags, ...Object.keys(screen.search ?? {})]
  const fields = splitSearch(target.slice(path.length).replace(/#.*$/s, ''))
  return (
    path +
    joinSearch(Object.fromEntries(Object.entries(fields).filter(([name]) => known.includes(name))))
  )
}

// In a mini-program nobody sees a page fail behind the program's own frame: the server's words are said aloud. That an account
// is not activated is said by the sign-in itself; a system elsewhere has no code for it, only its words.
onServerFailure(({ code, message }) => {
  const notActivated = code === 'login.not_activated' || /[帐账]号未激活/.test(message)
  if (environment.miniProgram && !notActivated) toast(message)
})

/**
 * The server no longer takes the session. What needs a member goes to the login, and what is filled in there waits for the
 * member to come back; what guests may see too shows itself to a guest.
 */
async function endSession(needsMember: boolean) {
  if (getSession()) {
    const kept = await import('#shell/navigation/form-restore.ts').catch(() => undefined)
    // Several calls may find out at once: what the member filled in is kept as the member's, by the first of them.
    if (getSession()) {
      kept?.keepPage()
      setSession(null)
      kept?.restorePage()
    }
  }
  const screen = await findScreen(getPlace().path).catch(() => undefined)
  const area = screen?.area
  if (needsMember && area !== 'login' && area !== 'passwordless') signIn()
}
onUnauthorised((endpoint) => void endSession(endpoint.access !== 'guest'))
// A page for members is left by itself when the session is gone.
onSessionOver(() => void endSession(false))

/** Puts back what was filled in when the session ended on a page, if that is how this start came about. */
export function restoreKeptPage() {
  try {
    if (!sessionStorage.getItem('keptPage')) return
  } catch {
    return
  }
  void import('#shell/navigation/form-restore.ts').then(({ restorePage }) => restorePage())
}
