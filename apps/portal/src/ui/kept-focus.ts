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
