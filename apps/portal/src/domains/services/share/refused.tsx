import { ApiError } from '#lib/api.ts'
import { useSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { openAddress } from '#shell/navigation/navigation.ts'
import { homePath } from '#shell/navigation/screens.ts'
import { signIn } from '#shell/sign-in/sign-in.ts'
import { Empty } from '#ui/feedback/empty.tsx'
import { Button } from '#ui/form/button.tsx'
import type { Shareable } from './share-queries.ts'

/** A retry would not help: the address is invalid, or the item is not available to this reader. */
export const isRefused = (error: Error | null): error is ApiError =>
  error instanceof ApiError && [400, 404, 410].includes(error.status)

/** Explains why a shared address shows nothing; the same text for hidden and for missing items. */
export function Refused({ kind, error }: { kind: Shareable['kind']; error: ApiError }) {
  const visitor = useSession() === null
  const home = <Button onClick={() => openAddress(homePath())}>{m.share_home()}</Button>
  if (error.status !== 404)
    return (
      <Empty icon="link" title={error.message} action={home}>
        {m.share_bad()}
      </Empty>
    )
  const service = kind === 'service'
  return (
    <Empty
      icon={service ? 'grid' : 'news'}
      title={service ? m.share_none_service() : m.share_none_news()}
      action={
        visitor ? (
          <Button onClick={() => signIn()}>
            {service ? m.share_sign_in() : m.share_sign_in_read()}
          </Button>
        ) : (
          home
        )
      }
    >
      {visitor ? m.share_none_visitor() : m.share_none_member()}
    </Empty>
  )
}
