import './account.css'
import type { AccountSecurity, SecurityChange } from '@atrium/contract/identity/account'
import { type ReactNode, useContext, useEffect, useState } from 'react'
import { m } from '#paraglide/messages.js'
import { hrefOf } from '#shell/navigation/navigation.ts'
import type { Path } from '#shell/navigation/screens.ts'
import { Page } from '#shell/page/page.tsx'
import { PageContext } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { useSecurity } from './account-queries.ts'
import { goToRequiredStep, requiredStepOf } from './screens.ts'

type GuardedProps = {
  /** The setting changed here; without one a confirmation suffices. */
  change?: SecurityChange
  children: (security: AccountSecurity) => ReactNode
}

/** A page that requires proof of identity. Users without it are led through the missing steps and back. */
export function Guarded({ change, children }: GuardedProps) {
  const security = useSecurity()
  const { path, search } = useContext(PageContext)
  const [allowed, setAllowed] = useState(false)
  const { data, isFetching } = security
  const here = hrefOf(path as Path, search)
  useEffect(() => {
    // Check once, with fresh data: the page may use up the confirmation itself, and a cached one may have expired.
    if (!data || isFetching || allowed) return
    const due = requiredStepOf(data, change)
    if (due) goToRequiredStep(due, change, data, here)
    else setAllowed(true)
  }, [data, isFetching, allowed, change, here])
  const waiting = <Skeleton height={260} label={m.shell_loading()} />
  return (
    <Page>
      <div className="column account-page">
        <QueryView query={security} skeleton={waiting}>
          {(known) => (allowed ? children(known) : waiting)}
        </QueryView>
      </div>
    </Page>
  )
}
