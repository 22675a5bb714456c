import type { Page } from '@playwright/test'

/** Minimum width and height of a tap target, px. */
const smallest = 44
/** Maximum layout shift, as measured by Web Vitals. */
const maxShift = 0.02

/** Measures layout shifts; call before opening the page. */
export const watchShift = (page: Page) =>
  page.addInitScript(() => {
    const here = globalThis as unknown as { shifts: string[]; shifted: number }
    here.shifts = []
    here.shifted = 0
    type Shift = PerformanceEntry & {
      value: number
      hadRecentInput: boolean
      sources: { node: Node | null }[]
    }
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[]) {
        if (entry.hadRecentInput) continue
        here.shifted += entry.value
        const moved = entry.sources.map(({ node }) =>
          node instanceof Element ? `${node.tagName}.${node.className}` : node?.nodeName,
        )
        here.shifts.push(`${entry.value.toFixed(3)} ${moved.join(' ')}`)
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })

/** @returns the elements that moved, if the total shift is too large */
export const tooMuchShift = (page: Page) =>
  page.evaluate((max) => {
    const here = globalThis as unknown as { shifts: string[]; shifted: number }
    return here.shifted > max ? here.shifts : []
  }, maxShift)

/** @returns tap targets smaller than a finger, one per line */
export const smallTargets = (page: Page) =>
  page.evaluate((min) => {
    const selector =
      'a[href], button, input, select, textarea, summary, [role=button], [role=tab], [role=switch], [role=option], [role=menuitem], [role=slider]'
    // Absolutely positioned pseudo-elements extend the tap target.
    const grown = (element: Element, side: 'width' | 'height') =>
      Math.max(
        element.getBoundingClientRect()[side],
        ...['::before', '::after'].map((pseudo) => {
          const style = getComputedStyle(element, pseudo)
          const isThere = style.content !== 'none' && style.position === 'absolute'
          return isThere ? Number.parseFloat(style[side]) || 0 : 0
        }),
      )
    const isInText = (element: Element) => {
      if (getComputedStyle(element).display !== 'inline') return false
      const around = element.closest('p, li, dd, td, figcaption, .rich-text')
      return around !== null && around.textContent.trim() !== element.textContent.trim()
    }
    return [...document.querySelectorAll<HTMLElement>(selector)].flatMap((element) => {
      if (element.matches('[type=hidden], [tabindex="-1"], :disabled')) return []
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return []
      if (element.closest('[inert], .ProseMirror, .rich-text')) return []
      const box = element.getBoundingClientRect()
      // Visible to screen readers only, so not tapped.
      if (box.width <= 1 || box.height <= 1) return []
      const target = element.matches('input') ? (element.closest('label') ?? element) : element
      const width = grown(target, 'width')
      const height = grown(target, 'height')
      if ((width > min - 0.5 && height > min - 0.5) || isInText(element)) return []
      const name = element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 40)
      return [
        `${element.tagName.toLowerCase()}.${element.className} “${name}” ${Math.round(width)} × ${Math.round(height)}`,
      ]
    })
  }, smallest)

/**
 * @param names strings without a translation, such as names of people
 * @returns Chinese text on an English screen that is not marked as Chinese, one per line
 */
export const unmarkedChinese = (page: Page, names: readonly string[]) =>
  page.evaluate((known) => {
    const isChinese = (text: string) => {
      const rest = known.reduce((left, name) => left.replaceAll(name, ''), text)
      return /\p{Script=Han}/u.test(rest)
    }
    const found = new Set<string>()
    const isMarked = (element: Element | null) =>
      element?.closest('[lang]')?.getAttribute('lang')?.startsWith('zh') ?? false
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const text = node.nodeValue?.trim() ?? ''
      const { parentElement } = node
      if (!text || !isChinese(text) || isMarked(parentElement)) continue
      if (!parentElement?.checkVisibility() || parentElement.closest('script, style, textarea'))
        continue
      found.add(
        `${parentElement.tagName.toLowerCase()}.${parentElement.className} “${text.slice(0, 60)}”`,
      )
    }
    // The placeholder is the only text of such a field.
    for (const field of document.querySelectorAll<HTMLInputElement>('[placeholder]'))
      if (isChinese(field.placeholder) && field.checkVisibility())
        found.add(`placeholder “${field.placeholder}”`)
    // A tab's title cannot be marked; the heading it repeats can.
    const heading = [...document.querySelectorAll('h1')].find((one) => one.checkVisibility())
    if (isChinese(document.title) && !isMarked(heading ?? null))
      found.add(`title “${document.title}”`)
    return [...found]
  }, names)
