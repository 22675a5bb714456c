import { m } from '#paraglide/messages.js'
import { toast } from '#ui/feedback/toast.tsx'

/** Where reading stopped, by article, as long as the app is open. */
const places = new Map<string, number>()

/** Takes up an article where it was left, and remembers from now on. */
export function followReading(id: string) {
  // The router puts a new page to its beginning first; a page one goes back to it scrolls itself.
  const timer = setTimeout(() => {
    const place = places.get(id)
    if (place && scrollY === 0) {
      scrollTo(0, place)
      toast(m.news_place_kept())
    }
  }, 100)
  const keep = () => {
    const room = document.documentElement.scrollHeight - innerHeight
    // The beginning needs no remembering, nor does the end: who has read all of it begins anew.
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
