import { openAddress } from '#shell/navigation/navigation.ts'

/**
 * Opens links in user-written texts like any other address. Links to our files, mail and phone are left to the browser.
 */
export function openLinks(element: HTMLElement | null) {
  const follow = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link?.getAttribute('href') || event.metaKey || event.ctrlKey || event.shiftKey) return
    const isFile = link.origin === location.origin && /^\/(files|thumbor)\//.test(link.pathname)
    if (isFile || !/^https?:$/.test(link.protocol)) return
    event.preventDefault()
    openAddress(link.href)
  }
  element?.addEventListener('click', follow)
  return () => element?.removeEventListener('click', follow)
}
