import { browser } from './browser.ts'
import { type Container, type EventData, type EventName, unsupported } from './events.ts'
import * as wechat from './wechat.ts'

/** The page of the mini-program that performs what a web-view cannot. Described in docs/containers.md. */
const requestPage = '/pages/atrium/ask'

/** A web-view inside a WeChat mini-program. */
export const miniProgram: Container = {
  ...browser,
  addCalendar: (entry) => open('addCalendar', entry),
  sysNavigateToMiniProgram: (link) => open('sysNavigateToMiniProgram', link),
  sysLogout: (nothing) => postEvent('sysLogout', nothing),
  sysSetBadge: unsupported,

  scanCode: () => wechat.scan(),
  locate: () => wechat.locate(),

  /**
   * The mini-program shares from its own menu and receives here what to share; until then the address is on the
   * clipboard.
   */
  async share(item) {
    await postEvent('share', item)
    await browser.copy({ text: item.url })
    return { done: 'copied' }
  },

  /** A mini-program cannot open a browser; only the clipboard leads outside. */
  async openBrowser({ url }) {
    await browser.copy({ text: url })
    return { done: 'copied' }
  },
}

/** Opens the mini-program's page, which returns when it is done. It cannot send us an answer. */
async function open<E extends EventName>(event: E, data: EventData<E>) {
  const wx = await wechat.loadWeChat()
  // Not form-encoded: the page decodes its fields itself and would keep a "+" as it is.
  const url = `${requestPage}?event=${event}&data=${encodeURIComponent(JSON.stringify(data))}`
  await wechat.callWeChat((options) => wx.miniProgram.navigateTo({ url, ...options }))
  return {}
}

/** The mini-program receives the message when the web-view closes or the user shares. */
async function postEvent<E extends EventName>(event: E, data: EventData<E>) {
  const wx = await wechat.loadWeChat()
  wx.miniProgram.postMessage({ data: { atrium: 1, event, data } })
  return {}
}
