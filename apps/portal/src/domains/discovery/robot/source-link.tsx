import type { AnswerSource } from '@atrium/contract/discovery/robot'
import type { ReactNode } from 'react'
import { useOpenService } from '#domains/services/service-opening/open-service.ts'
import { HrefLink } from '#shell/navigation/link.tsx'
import { openAddress } from '#shell/navigation/navigation.ts'

type SourceLinkProps = {
  source: AnswerSource
  className: string
  label?: string
  children: ReactNode
}

/** Opens the source of an answer: a screen, a service or a web page. */
export function SourceLink({ source, className, label, children }: SourceLinkProps) {
  const { open, opening } = useOpenService()
  const { to, serviceId } = source
  const named = label === undefined ? {} : { 'aria-label': label }
  if (to.startsWith('/'))
    return (
      <HrefLink href={to} className={className} {...named}>
        {children}
      </HrefLink>
    )
  if (!to && !serviceId) return <span className={className}>{children}</span>
  return (
    <button
      type="button"
      className={className}
      aria-busy={opening !== undefined || undefined}
      onClick={() => (serviceId && !to ? open(serviceId) : openAddress(to))}
      {...named}
    >
      {children}
    </button>
  )
}
