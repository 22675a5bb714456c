import { m } from '#paraglide/messages.js'
import { toast } from '#ui/feedback/toast.tsx'

/** Scroll positions by article, until the app is closed. */
const places = new Map<string, number>()

/** Restores the article's scroll position and records it from now on. */
export function followReading(id: string) {
  // The router first scrolls a new page to its top; on going back it restores the position itself.
  const timer = setTimeout(() => {
    const place = places.get(id)
    if (place && scrollY === 0) {
      scrollTo(0, place)
      toast(m.news_place_kept())
    }
  }, 100)
  const keep = () => {
    const room = document.documentElement.scrollHeight - innerHeight
    // Not stored near the top, nor near the end: a finished article starts again from the top.
    if (scrollY < 300 || scrollY > room - 200) places.delete(id)
    else places.set(id, scrollY)
  }
  const begin = setTimeout(() => addEventListener('scroll', keep, { passive: true }), 150)
  return () => {
    clearTimeout(timer)
    clearTimeout(begin)
    removeEventListener('scroll', keep)
  }
}
