import { identity } from '@atrium/contract/identity/identity'
import { config, type SystemConf } from '@atrium/contract/shell/config'
import { call, onServerFailure, onUnauthorised } from '#lib/api.ts'
import { environment } from '#lib/environment.ts'
import { recordEvent, sendEvents } from '#lib/events.ts'
import { getLanguage } from '#lib/language.ts'
import { q, queryClient } from '#lib/queries.ts'
import { onSessionOver } from '#lib/renewal.ts'
import { getSession, setSession } from '#lib/session.ts'
import { keysWith, outboxPrefix, write } from '#lib/storage.ts'
import { callContainer } from '#shell/container/container.ts'
import { getHistoryEntry, replace } from '#shell/navigation/history.ts'
import { leaveTo } from '#shell/navigation/page-exit.ts'
import { pathOf } from '#shell/navigation/page-stack.ts'
import { findLoadedScreen, findScreen, homePath } from '#shell/navigation/screens.ts'
import { joinSearch, splitSearch } from '#shell/navigation/search.ts'
import { unsubscribeFromPush } from '#shell/notifications.ts'
import { withTimeout } from '#shell/with-timeout.ts'
import { toast } from '#ui/feedback/toast.tsx'

/** The address to which the central login returns members. Redeeming the ticket needs exactly the same string. */
const returnService = (target: string) =>
  `${location.origin}/page/index/index?returnTarget=${encodeURIComponent(target)}`

/**
 * Signs in and shows `target`, an address of the app: as the host app's user, in a mini-program on the app's own login
 * page, else by the central login. The page left is not kept in the history.
 */
export function signIn(target = getHistoryEntry().href) {
  if (environment.miniProgram)
    return replace(`/pages/login/login${joinSearch({ returnTarget: target })}`)
  if (environment.container !== 'superApp') return signInCentrally(target)
  import('#shell/container/host-sign-in.ts')
    .then(({ signInByHost }) => signInByHost())
    .then(
      () => getHistoryEntry().href === target || replace(target),
      () => signInCentrally(target),
    )
}

/**
 * Leaves for the central login, regardless of the container: ours, or an external one named in the system
 * configuration. Ours if the configuration cannot be read.
 */
export function signInCentrally(target: string) {
  const system = q(config.system)
  const cached = queryClient.getQueryData(system.queryKey)
  if (cached) return leaveForLogin(target, cached)
  void withTimeout(queryClient.fetchQuery(system)).then((loaded) => leaveForLogin(target, loaded))
}

/** Longest `service` address that a login accepts, in characters. */
const maxServiceLength = 2000

function leaveForLogin(target: string, system: SystemConf | undefined) {
  const weComLogin = environment.isWeCom ? system?.wecomLogin : ''
  const loginUrl = weComLogin || system?.centralLogin || '/cas/login'
  // If the address is too long, return at least to the screen, without its search fields.
  const returnTarget = returnService(target).length <= maxServiceLength ? target : pathOf(target)
  if (loginUrl !== '/cas/login') return leaveTo(`${loginUrl}${joinSearch({ returnTarget })}`)
  leaveTo(
    `/cas/login?${new URLSearchParams({ service: returnService(returnTarget), lang: getLanguage() })}`,
  )
}

const logoutEvents = { h5: 'h5LogOut', wechat: 'wechatLogOut', app: 'appPlusLogOut' } as const

const signedOutPath = '/pages/login/signedOut'

/** Before the account changes: sends the actions in the outbox, also those that could still be undone. */
export async function sendStoredActions() {
  if (keysWith(outboxPrefix).length === 0) return
  await withTimeout(
    import('#shell/outbox.ts').then(({ sendOutbox }) => sendOutbox(true)),
    3000,
  ).catch(() => {})
}

/** Ends the session on this device and on the server, together with the central session. */
export async function signOut() {
  let endUrl = signedOutPath
  await sendStoredActions()
  recordEvent(logoutEvents[environment.terminalLabel])
  // After sign-out the events could no longer be attributed.
  await sendEvents()
  try {
    const { logoutUrl, outsideUrl } = await call(identity.logout)
    if (outsideUrl) {
      // The page can be left for one address only, so the central session is ended by a request.
      await withTimeout(fetch(logoutUrl), 2000).catch(() => {})
      endUrl = outsideUrl
    } else if (logoutUrl)
      // The central login ends its session too, and returns to our own page.
      endUrl = `${logoutUrl}${joinSearch({ service: location.origin + signedOutPath, lang: getLanguage() })}`
  } catch {
    // The server was not reached; the session still ends on this device.
  }
  await callContainer('sysLogout').catch(() => {})
  // The server sends no notifications after the session ends; a push service that hangs must not block sign-out.
  await withTimeout(unsubscribeFromPush(), 2000)
  setSession(null)
  leaveTo(endUrl)
}

/** Search fields that every screen accepts, besides its own. */
const flags = ['isHideTabbar', 'isHideReturnBtn', 'noLogin', 'serviceInfo']

/** Where a member may be sent after signing in: one of our own screens with its own search fields, else home. */
export function safeTarget(target = '') {
  const path = pathOf(target)
  const screen = findLoadedScreen(path)
  if (!screen) return homePath()
  const knownFields = [...flags, ...Object.keys(screen.search ?? {})]
  const fields = splitSearch(target.slice(path.length).replace(/#.*$/s, ''))
  return (
    path +
    joinSearch(
      Object.fromEntries(Object.entries(fields).filter(([name]) => knownFields.includes(name))),
    )
  )
}

// In a mini-program a page's failed state may be hidden by the program's own frame, so server messages are shown as
// toasts. An account that is not activated is reported by the sign-in itself; an external system reports it only by its
// text, without a code.
onServerFailure(({ code, message }) => {
  const notActivated = code === 'login.not_activated' || /[帐账]号未激活/.test(message)
  if (environment.miniProgram && !notActivated) toast(message)
})

/**
 * The server no longer accepts the session. A members' page leads to the login, and its form values are kept until the
 * member returns; a page that guests may see is shown as to a guest.
 */
async function endSession(needsMember: boolean) {
  const session = getSession()
  if (session) {
    write('expiredAccount', session.accountId)
    const formRestore = await import('#shell/navigation/form-restore.ts').catch(() => undefined)
    // Several calls may find out concurrently; the first one saves the form values, while the session still names the
    // member.
    if (getSession()) {
      formRestore?.saveForm()
      setSession(null)
      formRestore?.restoreForm()
    }
  }
  const screen = await findScreen(getHistoryEntry().path).catch(() => undefined)
  const area = screen?.area
  if (needsMember && area !== 'login' && area !== 'passwordless') signIn()
}
onUnauthorised((endpoint) => void endSession(endpoint.access !== 'guest'))
// A members' page redirects by itself when the session is gone.
onSessionOver(() => void endSession(false))

/** Restores form values saved when the session ended on a page, if there are any. */
export function restoreSavedForm() {
  try {
    if (!sessionStorage.getItem('keptPage')) return
  } catch {
    return
  }
  void import('#shell/navigation/form-restore.ts').then(({ restoreForm }) => restoreForm())
}
