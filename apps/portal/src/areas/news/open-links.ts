import { go, navigate } from '#shell/navigation.ts'
import { pathOf } from '#shell/page-stack.ts'
import { screenAt } from '#shell/screens.ts'

/** Links in what others wrote: our screens open as screens, other places after a page that says one is leaving. */
export function openLinks(element: HTMLElement | null) {
  const follow = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const href = link?.getAttribute('href')
    if (!link || !href || event.metaKey || event.ctrlKey || event.shiftKey) return
    const inside = link.origin === location.origin
    if (inside && screenAt(pathOf(link.pathname))) {
      event.preventDefault()
      go('navigate', link.pathname + link.search)
    } else if (!inside && link.protocol === 'https:') {
      event.preventDefault()
      navigate('/pages/webview/webview', { url: link.href })
    }
  }
  element?.addEventListener('click', follow)
  return () => element?.removeEventListener('click', follow)
}
