import { eCard } from '@atrium/contract/member/e-card'
import { type ECard, personalSources } from '@atrium/contract/member/personal-sources'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { confirmFirst } from '#shell/page/confirmation.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { RowContent, RowList } from '#ui/list-row.tsx'

/** Blocks all payments or allows them again, after a confirmation. */
export function FreezeCard({ card }: { card: ECard }) {
  const client = useQueryClient()
  const [isConfirming, setIsConfirming] = useState(false)
  const frozen = card.status === 'frozen'
  const freeze = useAction(eCard.freeze, {
    done(reply) {
      client.setQueryData(q(personalSources.eCard).queryKey, reply)
      setIsConfirming(false)
      toast(reply.status === 'frozen' ? m.e_card_frozen_done() : m.e_card_unfrozen_done())
    },
    failed(error) {
      setIsConfirming(false)
      if (confirmFirst(error)) return true
      toast(error.message)
      return true
    },
    invalidates: [personalSources.eCard],
  })
  if (card.status === 'lost') return null
  return (
    <>
      <RowList>
        <li>
          <button type="button" className="list-row" onClick={() => setIsConfirming(true)}>
            <RowContent icon="lock" leads>
              {frozen ? m.e_card_unfreeze() : m.e_card_freeze()}
            </RowContent>
          </button>
        </li>
      </RowList>
      <Dialog
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        title={frozen ? m.e_card_unfreeze_question() : m.e_card_freeze_question()}
        actions={
          <>
            <Button kind="plain" onClick={() => setIsConfirming(false)}>
              {m.personal_sign_out_stay()}
            </Button>
            <Button
              kind={frozen ? 'primary' : 'danger'}
              busy={freeze.isPending}
              onClick={() => freeze.mutate({ body: { frozen: !frozen } })}
            >
              {frozen ? m.e_card_unfreeze() : m.e_card_freeze()}
            </Button>
          </>
        }
      >
        <p>{frozen ? m.e_card_unfreeze_text() : m.e_card_freeze_text()}</p>
      </Dialog>
    </>
  )
}
