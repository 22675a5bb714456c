import { useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import { go, hrefOf } from './navigation.ts'
import type { Verb } from './page-stack.ts'
import type { Path, SearchGiven } from './screens.ts'

type LinkProps<P extends Path> = {
  to: P
  className?: string
  verb?: Verb
  children: ReactNode
  'aria-current'?: 'page' | undefined
  'aria-label'?: string
} & (Record<never, never> extends NonNullable<SearchGiven<P>[0]>
  ? { search?: SearchGiven<P>[0] }
  : { search: SearchGiven<P>[0] })

/** A real link to a screen, moving as the page stack does. The page's code is fetched as soon as a finger is on it. */
export function Link<P extends Path>({
  to,
  search,
  verb = 'navigate',
  children,
  ...rest
}: LinkProps<P>) {
  const router = useRouter()
  const href = hrefOf(to, search)
  const fetchPage = () => void router.preloadRoute({ to: to as string })
  const follow = (event: MouseEvent) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return
    event.preventDefault()
    go(verb, href)
  }
  return (
    <a href={href} onClick={follow} onPointerEnter={fetchPage} onTouchStart={fetchPage} {...rest}>
      {children}
    </a>
  )
}
