import { identity, type Session } from '@atrium/contract/identity'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '#lib/api.ts'
import { getSession, setSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { Failed } from '#ui/failed.tsx'
import { redirect } from './navigation.ts'
import { Page } from './page.tsx'
import { useSearch } from './page-context.ts'
import { PageLoading } from './page-states.tsx'
import { returnService, safeTarget, signIn } from './sign-in.ts'

/** A ticket is good once, however often this page is drawn. */
let redeeming: { ticket: string; session: Promise<Session> } | undefined
function redeem(ticket: string, target: string) {
  if (redeeming?.ticket !== ticket) {
    const body = { ticket, service: returnService(target) }
    redeeming = { ticket, session: call(identity.redeemTicket, { body }) }
  }
  return redeeming.session
}

/** Where the central login sends members back to: the ticket is redeemed for the id token. */
export default function ReturnPage() {
  const { ticket = '', returnTarget } = useSearch('/page/index/index')
  const query = useQuery({
    queryKey: ['ticket', ticket],
    queryFn: () => redeem(ticket, returnTarget ?? ''),
    enabled: ticket !== '',
    retry: false,
    refetchInterval: false,
  })
  const token = query.data?.idToken
  // Coming back here by the browser's own button: the ticket is used up, but the session it gave is there.
  const done = token !== undefined || ((ticket === '' || query.isError) && getSession() !== null)
  useEffect(() => {
    if (!done) return
    if (token && getSession()?.token !== token) setSession(token)
    redirect('/pages/fenliu/h5MiddlePage', { returnTarget })
  }, [done, token, returnTarget])
  if (done || query.isFetching) return <PageLoading />
  return (
    <Page>
      <Failed
        text={query.error?.message ?? m.shell_ticket_missing()}
        onRetry={() => signIn(safeTarget(returnTarget))}
      />
    </Page>
  )
}
