import { applications } from '@atrium/contract/work/applications'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { useAction } from '#shell/page/action.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { changedApplications } from './form-state.ts'

/** The applicant's own actions: continue or withdraw the application. */
export function OwnApplication({ id }: { id: string }) {
  const { data } = useQuery(q(applications.read, { params: { id } }))
  const [isConfirming, setIsConfirming] = useState(false)
  const { mutate, isPending } = useAction(applications.withdraw, {
    invalidates: changedApplications,
    done: () => {
      setIsConfirming(false)
      toast(m.applications_is_withdrawn())
    },
  })
  if (!data) return null
  const isOpen = data.status === 'draft' || data.status === 'returned'
  return (
    <>
      {isOpen ? (
        <Link
          to="/msgCenter/pages/task/apply"
          search={{ id }}
          className="button button-primary button-wide"
        >
          {data.status === 'draft' ? m.applications_go_on() : m.applications_change()}
        </Link>
      ) : null}
      {data.mayWithdraw ? (
        <Button kind="plain" wide onClick={() => setIsConfirming(true)}>
          {m.applications_withdraw()}
        </Button>
      ) : null}
      <Dialog
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        title={m.applications_withdraw_ask()}
        actions={
          <>
            <Button kind="plain" onClick={() => setIsConfirming(false)}>
              {m.ui_cancel()}
            </Button>
            <Button kind="danger" busy={isPending} onClick={() => mutate({ params: { id } })}>
              {m.applications_withdraw()}
            </Button>
          </>
        }
      >
        <p>{m.applications_withdraw_text()}</p>
      </Dialog>
    </>
  )
}
