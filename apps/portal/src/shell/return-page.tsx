import { useEffect } from 'react'
import { useSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { Failed } from '#ui/failed.tsx'
import { redirect } from './navigation.ts'
import { Page } from './page.tsx'
import { useSearch } from './page-context.ts'
import { PageLoading } from './page-states.tsx'
import { safeTarget, signIn } from './sign-in.ts'

/** Where the central login sends members back to. The start-up sequence has redeemed the ticket by now, if it was good. */
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
