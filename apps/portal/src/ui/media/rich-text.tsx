import './rich-text.css'
import { useEffect, useRef } from 'react'
import { m } from '#paraglide/messages.js'

/**
 * Headings, lists, tables and pictures as HTML that the server has sanitised. Content wider than the column scrolls
 * sideways in its own frame.
 */
export function RichText({ html, lang }: { html: string; lang?: string | undefined }) {
  const text = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has other frames
  useEffect(() => reachFrames(text.current), [html])
  return (
    <div
      className="rich-text"
      ref={text}
      lang={lang}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: only what the contract calls sanitised comes here
      dangerouslySetInnerHTML={{ __html: framed(html) }}
    />
  )
}

/** Angle brackets in text are escaped, so the patterns match only tags. */
const framed = (html: string) =>
  html
    .replace(/<(table|pre)\b/g, '<div class="rich-text-frame fade-edges"><$1')
    .replace(/<\/(table|pre)>/g, '</$1></div>')
    .replace(
      /<math\b[^>]*\bdisplay="block"[\s\S]*?<\/math>/g,
      (math) => `<div class="rich-text-frame rich-text-formula fade-edges">${math}</div>`,
    )

/** A frame is focusable by keyboard, with a name, only while it can be scrolled. */
function reachFrames(element: HTMLElement | null) {
  const frames = [...(element?.querySelectorAll<HTMLElement>('.rich-text-frame') ?? [])]
  if (frames.length === 0) return
  const watch = new ResizeObserver(() => {
    for (const frame of frames) {
      if (frame.scrollWidth <= frame.clientWidth)
        for (const name of ['tabindex', 'role', 'aria-label']) frame.removeAttribute(name)
      else if (!frame.hasAttribute('tabindex')) {
        frame.tabIndex = 0
        frame.setAttribute('role', 'region')
        const caption = frame.querySelector('caption')?.textContent.trim()
        frame.setAttribute('aria-label', caption || m.shell_wide_part())
      }
    }
  })
  for (const frame of frames) {
    watch.observe(frame)
    // Larger text widens the content but not the frame.
    if (frame.firstElementChild) watch.observe(frame.firstElementChild)
  }
  return () => watch.disconnect()
}
