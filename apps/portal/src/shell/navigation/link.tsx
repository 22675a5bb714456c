import type { MouseEvent, ReactNode } from 'react'
import { hrefOf, performNavigation } from './navigation.ts'
import { preloadPage } from './page-code.ts'
import { pathOf, type Verb } from './page-stack.ts'
import type { Path, Target } from './screens.ts'

type LinkProps = {
  className?: string
  verb?: Verb
  children: ReactNode
  /** Called on a click, wherever the link opens. */
  onFollow?: () => void
  'aria-current'?: 'page' | undefined
  'aria-label'?: string
}

/** A link to a screen. The address is type-checked, including required search fields. */
export function Link<P extends Path>({ to, search, ...rest }: Target<P> & LinkProps) {
  return <HrefLink href={hrefOf(to, search)} {...(rest as LinkProps)} />
}

/**
 * The same for one of our addresses that is only known at run time. A real link that navigates within the page stack;
 * hovering or touching it preloads the page's code.
 */
export function HrefLink({
  href,
  verb = 'navigate',
  onFollow,
  children,
  ...rest
}: LinkProps & { href: string }) {
  const preload = () => preloadPage(pathOf(href))
  const follow = (event: MouseEvent) => {
    onFollow?.()
    const { button, metaKey, ctrlKey, shiftKey, altKey } = event
    if (event.defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return
    event.preventDefault()
    performNavigation(verb, href)
  }
  return (
    <a href={href} onClick={follow} onPointerEnter={preload} onTouchStart={preload} {...rest}>
      {children}
    </a>
  )
}
