import './confirmation-bar.css'
import { announcements } from '@atrium/contract/content/announcements'
import { useQuery } from '@tanstack/react-query'
import { formatDayAndTime } from '#lib/format.ts'
import { q } from '#lib/queries.ts'
import { useSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { useAction } from '#shell/page/action.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { signIn } from '#shell/sign-in/sign-in.ts'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { Icon } from '#ui/media/icon.tsx'

/** Below an announcement that requires confirmation: the button, or the time of confirmation. */
export function ConfirmationBar({ id }: { id: string }) {
  const signedIn = useSession() !== null
  return (
    <section className="confirmation-bar" aria-label={m.announcements_confirmation()}>
      {signedIn ? (
        <Reading id={id} />
      ) : (
        <>
          <p>{m.announcements_sign_in()}</p>
          <Button small onClick={() => signIn()}>
            {m.shell_sign_in()}
          </Button>
        </>
      )}
    </section>
  )
}

function Reading({ id }: { id: string }) {
  const { timeZone } = useSystem()
  const reading = useQuery(q(announcements.reading, { params: { id } }))
  const { mutate, isPending } = useAction(announcements.confirm, {
    invalidates: [announcements.reading],
  })
  return (
    <QueryView query={reading} skeleton={<Skeleton height={48} label={m.shell_loading()} />}>
      {({ confirmedAt }) => (
        <>
          <p role="status" className={confirmedAt ? 'confirmation-done' : undefined}>
            {confirmedAt ? (
              <>
                <Icon name="check" />
                {m.announcements_confirmed_at({ time: formatDayAndTime(confirmedAt, timeZone) })}
              </>
            ) : (
              m.announcements_ask()
            )}
          </p>
          {confirmedAt ? null : (
            <Button busy={isPending} onClick={() => mutate({ params: { id } })}>
              {m.announcements_confirm()}
            </Button>
          )}
        </>
      )}
    </QueryView>
  )
}
