import { browser } from './browser.ts'
import { type Ask, type Container, type EventName, unsupported } from './events.ts'
import * as wechat from './wechat.ts'

/** The page of the mini-program that does for us what a web-view cannot. docs/containers.md shows it. */
const askPage = '/pages/atrium/ask'

/** A web-view inside a mini-program of WeChat. */
export const miniProgram: Container = {
  ...browser,
  addCalendar: (entry) => open('addCalendar', entry),
  sysNavigateToMiniProgram: (link) => open('sysNavigateToMiniProgram', link),
  sysLogout: (nothing) => say('sysLogout', nothing),
  sysSetBadge: unsupported,

  scanCode: () => wechat.scan(),
  locate: () => wechat.locate(),

  /** The mini-program shares by its own menu and learns here what; meanwhile the address is on the clipboard. */
  async share(item) {
    await say('share', item)
    await browser.copy({ text: item.url })
    return { done: 'copied' }
  },

  /** Nothing leads out of a mini-program but the clipboard. */
  async openBrowser({ url }) {
    await browser.copy({ text: url })
    return { done: 'copied' }
  },
}

/** Goes to the mini-program's page, which comes back when it is done: it cannot answer us. */
async function open<E extends EventName>(event: E, data: Ask<E>) {
  const wx = await wechat.loadWeChat()
  // Not as a form: the page decodes its fields itself, and takes a "+" for what it is.
  const url = `${askPage}?event=${event}&data=${encodeURIComponent(JSON.stringify(data))}`
  await wechat.asked((options) => wx.miniProgram.navigateTo({ url, ...options }))
  return {}
}

/** The mini-program hears it when the web-view goes, or when the person shares. */
async function say<E extends EventName>(event: E, data: Ask<E>) {
  const wx = await wechat.loadWeChat()
  wx.miniProgram.postMessage({ data: { atrium: 1, event, data } })
  return {}
}
