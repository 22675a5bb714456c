import type { Launch } from '@atrium/contract/services/service-opening'
import { environment } from '#lib/environment.ts'
import { m } from '#paraglide/messages.js'
import { authorizationOf } from '#shell/container/authorization.ts'
import { callContainer } from '#shell/container/container.ts'
import { ContainerError } from '#shell/container/events.ts'
import { openAddress } from '#shell/navigation/navigation.ts'
import { openExternalApp } from '#shell/navigation/page-exit.ts'
import { toast } from '#ui/feedback/toast.tsx'
import { viewerAddress } from './viewer-address.ts'

/**
 * Opens a service that is neither a screen nor a plain web page.
 * @param retryLaunch repeats the request with changed fields
 */
export async function openLaunch(
  answer: Launch,
  serviceId: string,
  retryLaunch: (changed: object) => void,
) {
  if (answer.consent) {
    if (await hasConsent(answer, serviceId)) retryLaunch({})
    return
  }
  if (answer.needsVpn) await connectVpn()
  switch (answer.how) {
    case 'browser':
      return openExternally(answer.url)
    case 'viewer':
      return openViewer(answer.url)
    case 'miniProgram':
      return openMiniProgram(answer)
    default:
      if (answer.tokens.length === 0) return openAddress(answer.url)
  }
  const { url, title } = answer
  const tokens = answer.tokens.map(({ type, key, value }) => ({ type, key, value }))
  // The app cannot send the tokens: pass them in the address, as in a browser.
  await callContainer('openService', { url, title, tokens }).catch(() =>
    retryLaunch({ platformType: 'h5', closeGuide: true }),
  )
}

/** Asks for consent in the host app, or with our own dialog if it has none. */
async function hasConsent({ title, consent }: Launch, serviceId: string) {
  if (!consent) return false
  try {
    if (!(await callContainer('sysInfoAuthorize', { serviceId, title })).authorized) return false
    // The server stores the consent: if only the app claimed it, the question would come back every time.
    if ((await authorizationOf(serviceId)).authorized) return true
  } catch (error) {
    if (error instanceof ContainerError && error.reason !== 'unsupported') return false
  }
  const { requestConsent } = await import('./request-consent.tsx')
  return requestConsent(consent, serviceId)
}

/** Connects the app's VPN if it has one; otherwise tells the member that one is needed. */
async function connectVpn() {
  try {
    if ((await callContainer('sysVpnState')).connected) return
    const { connected } = await callContainer('sysVpnConnectOrDisconnect', {
      vpnOperateType: 'connect',
    })
    if (!connected) toast(m.services_vpn_failed())
  } catch {
    toast(m.services_vpn_needed())
  }
}

async function openExternally(url: string) {
  try {
    const { done } = await callContainer('openBrowser', { url })
    if (done === 'copied') toast(m.container_link_copied())
  } catch {
    toast(m.services_open_failed())
  }
}

/** A work app around the portal opens the page in a separate window. */
function openViewer(url: string) {
  const address = viewerAddress(environment, url)
  if (address) openExternalApp(address)
  else openAddress(url)
}

async function openMiniProgram({ miniProgram, url }: Launch) {
  if (!miniProgram) return
  try {
    await callContainer('sysNavigateToMiniProgram', miniProgram)
  } catch (error) {
    if (error instanceof ContainerError && error.reason === 'refused') return
    // No mini-programs here: open its web page, if there is one.
    if (url) openAddress(url)
    else toast(m.services_mini_program_only())
  }
}
