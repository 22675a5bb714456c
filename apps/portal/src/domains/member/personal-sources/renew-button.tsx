import { personalSources } from '@atrium/contract/member/personal-sources'
import { useQueryClient } from '@tanstack/react-query'
import { invalidate, q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'

/** Renews a loan, in its row. */
export function RenewButton({ id, title }: { id: string; title: string }) {
  const client = useQueryClient()
  const renew = useAction(personalSources.renew, {
    done(reply) {
      client.setQueryData(q(personalSources.books).queryKey, reply)
      invalidate(personalSources.overview)
      toast(m.personal_sources_renewed())
    },
  })
  return (
    <Button
      small
      kind="plain"
      aria-label={m.personal_sources_renew_title({ title })}
      busy={renew.isPending}
      onClick={() => renew.mutate({ body: { id } })}
    >
      {m.personal_sources_renew()}
    </Button>
  )
}
