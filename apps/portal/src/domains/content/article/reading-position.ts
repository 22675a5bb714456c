import { m } from '#paraglide/messages.js'
import { toast } from '#ui/feedback/toast.tsx'

/** Scroll positions by article, until the app is closed. */
const positions = new Map<string, number>()

/** Restores the article's scroll position and records it from now on. */
export function trackReadingPosition(id: string) {
  // The router first scrolls a new page to its top; on going back it restores the position itself.
  const timer = setTimeout(() => {
    const position = positions.get(id)
    if (position && scrollY === 0) {
      scrollTo(0, position)
      toast(m.news_place_kept())
    }
  }, 100)
  const savePosition = () => {
    const maxScroll = document.documentElement.scrollHeight - innerHeight
    // Not stored near the top, nor near the end: a finished article starts again from the top.
    if (scrollY < 300 || scrollY > maxScroll - 200) positions.delete(id)
    else positions.set(id, scrollY)
  }
  const startTimer = setTimeout(
    () => addEventListener('scroll', savePosition, { passive: true }),
    150,
  )
  return () => {
    clearTimeout(timer)
    clearTimeout(startTimer)
    removeEventListener('scroll', savePosition)
  }
}
