import { environment } from '#lib/environment.ts'
import { removeAll } from '#lib/storage.ts'
import { calendarFile } from './calendar-file.ts'
import { type Container, ContainerError, unsupported } from './events.ts'

/** What a web page can do by itself. The other containers fall back to it. */
export const browser: Container = {
  sysGetUserToken: unsupported,
  sysLogout: async () => ({}),
  sysVpnState: unsupported,
  sysVpnConnectOrDisconnect: unsupported,
  sysGetAppVersion: unsupported,
  sysVersionUpdate: unsupported,
  getAllMessage: unsupported,
  sysInfoAuthorize: unsupported,
  remove: unsupported,

  sysInfoAuthorizeGetState: async ({ serviceId }) =>
    (await import('./authorization.ts')).authorizationOf(serviceId),

  /** Downloads an .ics file, which the device's calendar opens. */
  async addCalendar(entry) {
    // WeChat's browser silently ignores downloads.
    if (environment.isWeChat || !('download' in HTMLAnchorElement.prototype)) return unsupported()
    const url = URL.createObjectURL(new Blob([calendarFile(entry)], { type: 'text/calendar' }))
    const link = document.createElement('a')
    link.href = url
    link.download = 'event.ics'
    link.click()
    setTimeout(() => URL.revokeObjectURL(url), 60_000)
    return {}
  },

  async sysGetCacheSize() {
    const { usage } = (await navigator.storage?.estimate?.()) ?? {}
    return usage === undefined ? unsupported() : { bytes: usage }
  },

  async sysCleanCache() {
    removeAll('kept:')
    // Keep the precache: it is the app itself, needed for offline starts.
    const names = ((await globalThis.caches?.keys()) ?? []).filter((n) => !/precache/.test(n))
    await Promise.all(names.map((name) => caches.delete(name)))
    return {}
  },

  async sysSetBadge({ badgeCount }) {
    if (!navigator.setAppBadge) return unsupported()
    await (badgeCount > 0 ? navigator.setAppBadge(badgeCount) : navigator.clearAppBadge())
    return {}
  },

  /** A mini-program is another app; opens the web page that its operator has given for it, if any. */
  async sysNavigateToMiniProgram({ shareUrl }) {
    if (!shareUrl || !/^https:\/\//.test(shareUrl)) return unsupported()
    window.open(shareUrl, '_blank', 'noopener')
    return {}
  },

  scanCode: async () =>
    environment.isWeChat ? (await import('./wechat.ts')).scan() : unsupported(),

  async share(item) {
    const { title, text, url } = item
    if (environment.isWeChat) {
      const { offerWhileShown } = await import('./share-menu.ts')
      const offered = await offerWhileShown(item).catch(() => false)
      if (offered) return { done: 'menu' }
    } else if (navigator.share) {
      try {
        await navigator.share({ title, url, ...(text && { text }) })
        return { done: 'shared' }
      } catch (error) {
        // AbortError: the user closed the sheet. After any other error the address can still be copied.
        if ((error as DOMException).name === 'AbortError') throw new ContainerError('refused')
      }
    }
    await browser.copy({ text: url })
    return { done: 'copied' }
  },

  async copy({ text }) {
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      // Old webviews have no clipboard API, or offer it to secure pages only.
      if (!copyBySelection(text)) throw new ContainerError('refused')
    }
    return {}
  },

  async locate() {
    if (!environment.isWeChat) return locateByDevice()
    const wechat = await import('./wechat.ts')
    return wechat.locate().catch(locateByDevice)
  },

  openService: unsupported,

  async openBrowser({ url }) {
    window.open(url, '_blank', 'noopener')
    return { done: 'opened' }
  },
}

function copyBySelection(text: string) {
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.style.position = 'fixed'
  field.style.opacity = '0'
  // Must be inside an open dialog: its focus trap would otherwise take back the focus and the selection.
  const place = document.querySelector('[role=dialog]') ?? document.body
  const focused = document.activeElement as HTMLElement | null
  place.append(field)
  field.select()
  field.setSelectionRange(0, text.length)
  const copied = document.execCommand('copy')
  field.remove()
  focused?.focus({ preventScroll: true })
  return copied
}

function locateByDevice() {
  return new Promise<{ latitude: number; longitude: number; accuracy: number }>(
    (resolve, reject) => {
      if (!navigator.geolocation) return reject(new ContainerError('unsupported'))
      navigator.geolocation.getCurrentPosition(
        ({ coords: { latitude, longitude, accuracy } }) =>
          resolve({ latitude, longitude, accuracy }),
        ({ code }) =>
          reject(new ContainerError(code === 1 ? 'refused' : code === 3 ? 'timeout' : 'failed')),
        { timeout: 15_000, maximumAge: 60_000 },
      )
    },
  )
}
