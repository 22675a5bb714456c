import { useCallback, useRef } from 'react'

/**
 * Keeps the focus in an area when the focused control in it is replaced, such as an action by its undo: the first control
 * of the area gets it. Otherwise a keyboard starts again at the top of the page.
 * @returns properties of the area
 */
export function useKeptFocus() {
  const isInside = useRef(false)
  const ref = useCallback((area: HTMLElement | null) => {
    if (!area) return undefined
    const observer = new MutationObserver(() => {
      if (isInside.current && document.activeElement === document.body)
        area.querySelector<HTMLElement>('button, a[href], input')?.focus({ preventScroll: true })
    })
    observer.observe(area, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [])
  return {
    ref,
    onFocus: () => {
      isInside.current = true
    },
    // React reports no blur of an element that it removes.
    onBlur: () => {
      isInside.current = false
    },
  }
}

const rows = 'li, tr'
const areas = '.page, [role="dialog"]'
/** What can have the focus without opening an on-screen keyboard. */
const controls =
  'a[href], button, summary, input[type="checkbox"], input[type="radio"], input[type="file"]'
/** In ms. Rows of a virtualised list, which have `data-index`, are also removed when they are scrolled away. */
const scrollTime = 200

/** Where the focus is in a list. */
type Place = {
  /** the page or dialog */
  area: Element
  row: Element
  /** the following rows, the previous ones, then those around a list within a row */
  others: Element[]
  /** the nearest one above first */
  headings: HTMLElement[]
}

function findPlace(target: Element, area: Element): Place | undefined {
  const row = target.closest(rows)
  if (!row || !area.contains(row)) return undefined
  const others: Element[] = []
  for (
    let outer: Element | null | undefined = row;
    outer && area.contains(outer);
    outer = outer.parentElement?.closest(rows)
  ) {
    const list = [...(outer.parentElement?.children ?? [])]
    const at = list.indexOf(outer)
    if (outer !== row) others.push(outer)
    others.push(...list.slice(at + 1), ...list.slice(0, at).reverse())
  }
  const isAbove = (heading: Element) =>
    (heading.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  const headings = [...area.querySelectorAll<HTMLElement>('h1, h2, h3')].filter(isAbove).reverse()
  return { area, row, others, headings }
}

/** Controls that are hidden or inert do not take it. */
function focusFirstControl(row: Element) {
  return [...row.querySelectorAll<HTMLElement>(controls)].some((control) => {
    control.focus({ preventScroll: true })
    return document.activeElement === control
  })
}

function focusHeading(heading: HTMLElement | undefined) {
  if (!heading) return
  if (!heading.hasAttribute('tabindex')) {
    heading.tabIndex = -1
    heading.addEventListener('blur', () => heading.removeAttribute('tabindex'), { once: true })
  }
  heading.focus({ preventScroll: true })
}

/**
 * Keeps the focus in lists: if the row with the focus is deleted, the next row gets it, or the previous one, or the
 * heading above if the list is empty. Rows deleted from a dialog are included: it has returned the focus to its row.
 * @returns a function that ends it
 */
export function keepFocusInLists() {
  /** The place in the page, then those in open dialogs. */
  let places: Place[] = []
  let scrolledAt = Number.NEGATIVE_INFINITY
  const observer = new MutationObserver(() => {
    // After `useKeptFocus`, dialogs and pages have moved it where they want it.
    if (document.activeElement === document.body) setTimeout(moveFocus)
  })
  const setPlaces = (next: Place[]) => {
    places = next
    observer.disconnect()
    if (next.length > 0) observer.observe(document.body, { childList: true, subtree: true })
  }
  const moveFocus = () => {
    const place = places.filter(({ area }) => area.isConnected).pop()
    if (document.activeElement !== document.body || !place || place.row.isConnected) return
    setPlaces([])
    const { row, others, headings } = place
    if (row.hasAttribute('data-index') && performance.now() - scrolledAt < scrollTime) return
    if (others.some((other) => other.isConnected && focusFirstControl(other))) return
    focusHeading(headings.find((one) => one.isConnected && one.getClientRects().length > 0))
  }
  const onFocus = ({ target }: FocusEvent) => {
    const area = target instanceof Element ? target.closest(areas) : null
    if (!area) return
    // The page's place remains: a dialog returns the focus to it.
    const below = area.matches('.page') ? [] : places.filter((one) => one.area !== area)
    const place = findPlace(target as Element, area)
    setPlaces(place ? [...below, place] : below)
  }
  const onBlur = ({ target, relatedTarget }: FocusEvent) => {
    if (relatedTarget || !(target instanceof Element)) return
    // A tap beside all controls. A control that was removed loses the focus as well.
    setTimeout(() => {
      if (document.activeElement === document.body && target.isConnected) setPlaces([])
    })
  }
  const onScroll = () => {
    scrolledAt = performance.now()
  }
  document.addEventListener('focusin', onFocus)
  document.addEventListener('focusout', onBlur)
  document.addEventListener('scroll', onScroll, { passive: true })
  return () => {
    setPlaces([])
    document.removeEventListener('focusin', onFocus)
    document.removeEventListener('focusout', onBlur)
    document.removeEventListener('scroll', onScroll)
  }
}
