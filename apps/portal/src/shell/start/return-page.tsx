import { useEffect } from 'react'
import { useSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { redirect } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { PageLoading } from '#shell/page/page-states.tsx'
import { safeTarget, signIn } from '#shell/sign-in/sign-in.ts'
import { Failed } from '#ui/feedback/failed.tsx'

/**
 * The page to which the central login returns members. The start-up sequence has already redeemed the ticket, if it was
 * valid.
 */
export default function ReturnPage() {
  const { returnTarget } = useSearch('/page/index/index')
  const signedIn = useSession() !== null
  useEffect(() => {
    if (signedIn) redirect('/pages/fenliu/h5MiddlePage', { returnTarget })
  }, [signedIn, returnTarget])
  if (signedIn) return <PageLoading />
  return (
    <Page>
      <Failed text={m.shell_ticket_refused()} onRetry={() => signIn(safeTarget(returnTarget))} />
    </Page>
  )
}
