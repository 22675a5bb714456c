/** Passes taps and the focus on painted content on to the app, once that has replaced it. */
export function passOn(root: Element, painted: Element) {
  let tapped: Element | undefined
  let focused: Element | undefined
  root.addEventListener(
    'click',
    (event) => {
      const element = (event.target as Element).closest('a, button')
      const { button, metaKey, ctrlKey, shiftKey, altKey } = event as MouseEvent
      if (!element || !painted.contains(element)) return
      if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return
      event.preventDefault()
      tapped = element
      element.setAttribute('aria-busy', 'true')
      // The app is late or fails to load: follow the link without it.
      const { href } = element as HTMLAnchorElement
      if (href) setTimeout(() => painted.isConnected && location.assign(href), 3000)
    },
    true,
  )
  new MutationObserver((_, observer) => {
    if (painted.isConnected) return
    observer.disconnect()
    const activated = tapped ?? focused
    const replacement =
      activated && ifEquivalent(activated, elementAt(pathTo(activated, painted), root))
    replacement?.focus({ preventScroll: true })
    if (tapped) replacement?.click()
  }).observe(root, { childList: true })
  painted.addEventListener('focusin', ({ target }) => {
    focused = target as Element
  })
}

/** The path to an element, as its index at each level. */
function pathTo(element: Element, top: Element): number[] {
  const parent = element.parentElement
  if (element === top || !parent) return []
  return [...pathTo(parent, top), [...parent.children].indexOf(element)]
}

const elementAt = (steps: readonly number[], top: Element) =>
  steps.reduce<Element | undefined>((at, step) => at?.children[step], top)

/** The element that the app rendered in its place, if equivalent. */
const ifEquivalent = (before: Element, now: Element | undefined) =>
  now?.tagName === before.tagName && now.textContent === before.textContent
    ? (now as HTMLElement)
    : undefined
