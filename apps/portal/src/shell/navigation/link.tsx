import type { MouseEvent, ReactNode } from 'react'
import { go, hrefOf } from './navigation.ts'
import { guessPage } from './page-code.ts'
import { pathOf, type Verb } from './page-stack.ts'
import type { Path, Target } from './screens.ts'

type LinkProps = {
  className?: string
  verb?: Verb
  children: ReactNode
  /** It was clicked, wherever it opens. */
  onFollow?: () => void
  'aria-current'?: 'page' | undefined
  'aria-label'?: string
}

/** A link to a screen. The address is checked: what the screen needs has to be there. */
export function Link<P extends Path>({ to, search, ...rest }: Target<P> & LinkProps) {
  return <HrefLink href={hrefOf(to, search)} {...(rest as LinkProps)} />
}

/**
 * The same for an address of ours that is only known while running. A real link, moving as the page stack does; the page's
 * code is fetched as soon as a finger is on it.
 */
export function HrefLink({
  href,
  verb = 'navigate',
  onFollow,
  children,
  ...rest
}: LinkProps & { href: string }) {
  const guess = () => guessPage(pathOf(href))
  const follow = (event: MouseEvent) => {
    onFollow?.()
    const { button, metaKey, ctrlKey, shiftKey, altKey } = event
    if (event.defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return
    event.preventDefault()
    go(verb, href)
  }
  return (
    <a href={href} onClick={follow} onPointerEnter={guess} onTouchStart={guess} {...rest}>
      {children}
    </a>
  )
}
