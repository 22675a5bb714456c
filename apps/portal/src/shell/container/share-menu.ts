import { getHistoryEntry, onHistoryChange } from '#shell/navigation/history.ts'
import type { EventData } from './events.ts'
import { offerToShare } from './wechat.ts'

/** Milliseconds after navigation, by which most pages have set their title. */
const titleDelay = 1000

/** The history entry whose page offers something other than itself. */
let offeredBy = ''
let isFollowing = false
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Sets what WeChat's own menu shares while the current page is shown. WeChat would keep sharing it afterwards, so every
 * later page is offered by its own title and address.
 * @returns true once WeChat has accepted it
 */
export async function offerWhileShown(item: EventData<'share'>) {
  const { key } = getHistoryEntry()
  const isAccepted = await offerToShare(item)
  offeredBy = key
  if (!isFollowing) onHistoryChange(offerPageLater)
  isFollowing = true
  // The page was left concurrently.
  if (getHistoryEntry().key !== key) offerPageLater()
  return isAccepted
}

function offerPageLater() {
  clearTimeout(timer)
  timer = setTimeout(() => {
    const { key, href } = getHistoryEntry()
    if (key === offeredBy) return
    offeredBy = ''
    // If this fails, the menu keeps what it had.
    offerToShare({ title: document.title, url: location.origin + href }).catch(() => {})
  }, titleDelay)
}
