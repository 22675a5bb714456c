import './tabs.css'
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react'

type TabsProps<V extends string> = {
  /** `segment`: a few parts of one page; `line`: many tabs, scrolling sideways. */
  variant: 'segment' | 'line'
  label: string
  items: readonly { value: V; label: ReactNode }[]
  value: V
  onChange: (value: V) => void
  /** Content of the chosen tab. */
  children: ReactNode
}

/** A row of tabs over one panel. Arrow keys, Home and End move between them. */
export function Tabs<V extends string>({
  variant,
  label,
  items,
  value,
  onChange,
  children,
}: TabsProps<V>) {
  const id = useId()
  const row = useRef<HTMLDivElement>(null)
  const hasScrolled = useRef(false)
  // Scrolls the chosen tab into view. Not with scrollIntoView, which also scrolls the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another one is chosen
  useLayoutEffect(() => {
    const chosen = row.current?.querySelector('[aria-selected=true]')
    // The first tab is in view anyway, and measuring a page that has just been rendered is slow.
    if (
      !row.current ||
      !chosen ||
      (chosen === row.current.firstElementChild && !hasScrolled.current)
    )
      return
    hasScrolled.current = true
    const [rowRect, tabRect] = [row.current.getBoundingClientRect(), chosen.getBoundingClientRect()]
    row.current.scrollLeft += tabRect.left - rowRect.left - (rowRect.width - tabRect.width) / 2
  }, [value])
  const currentIndex = items.findIndex((item) => item.value === value)
  const steps: Record<string, number> = {
    ArrowRight: currentIndex + 1,
    ArrowLeft: currentIndex - 1,
    Home: 0,
    End: items.length - 1,
  }
  const move = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = (step + items.length) % items.length
    const item = items[next]
    if (!item) return
    onChange(item.value)
    row.current?.querySelectorAll('button')[next]?.focus()
  }
  return (
    <>
      <div
        ref={row}
        className={`tabs tabs-${variant} fade-edges`}
        role="tablist"
        aria-label={label}
        onKeyDown={move}
      >
        {items.map((item) => {
          const chosen = item.value === value
          return (
            <button
              key={item.value}
              type="button"
              role="tab"
              id={`${id}tab-${item.value}`}
              aria-selected={chosen}
              aria-controls={chosen ? `${id}panel` : undefined}
              tabIndex={chosen ? 0 : -1}
              onClick={() => onChange(item.value)}
            >
              {item.label}
            </button>
          )
        })}
      </div>
      <div role="tabpanel" id={`${id}panel`} aria-labelledby={`${id}tab-${value}`}>
        {children}
      </div>
    </>
  )
}
