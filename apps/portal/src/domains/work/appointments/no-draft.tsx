import { m } from '#paraglide/messages.js'
import { redirect } from '#shell/navigation/navigation.ts'
import { Empty } from '#ui/feedback/empty.tsx'
import { Button } from '#ui/form/button.tsx'

/** Shown if a subpage of the event form is opened without a draft: after a reload, or by its address. */
export function NoDraft() {
  return (
    <div className="column">
      <Empty
        icon="calendar"
        title={m.appointments_no_draft()}
        action={
          <Button onClick={() => redirect('/pages/shedul/creatShedul')}>
            {m.appointments_new_title()}
          </Button>
        }
      >
        {m.appointments_no_draft_text()}
      </Empty>
    </div>
  )
}
