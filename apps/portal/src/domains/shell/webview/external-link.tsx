import type { MouseEvent, ReactNode } from 'react'
import { environment } from '#lib/environment.ts'
import { m } from '#paraglide/messages.js'
import { callContainer } from '#shell/container/container.ts'
import { toast } from '#ui/feedback/toast.tsx'

type ExternalLinkProps = {
  url: string
  className: string
  onFollow?: () => void
  children: ReactNode
}

/** Opens a page outside the app, without a referrer. A container opens it in its own way. */
export function ExternalLink({ url, className, onFollow, children }: ExternalLinkProps) {
  const follow = (event: MouseEvent) => {
    onFollow?.()
    if (!environment.isSuperApp && environment.miniProgram === null) return
    event.preventDefault()
    void openByContainer(url)
  }
  return (
    <a className={className} href={url} target="_blank" rel="noopener noreferrer" onClick={follow}>
      {children}
    </a>
  )
}

async function openByContainer(url: string) {
  try {
    const { done } = await callContainer('openBrowser', { url })
    if (done === 'copied') toast(m.webview_copied_instead())
  } catch {
    toast(m.webview_open_failed())
  }
}
