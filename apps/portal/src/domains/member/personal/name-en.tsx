import { type Profile, personal } from '@atrium/contract/member/personal'
import { useState } from 'react'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { Field } from '#ui/form/field.tsx'

/** The name in Latin letters; the member can edit it unless a directory provides it. */
export function NameEn({ profile: { userNameEn, editable } }: { profile: Profile }) {
  const [name, write] = useState<string>()
  const change = useAction(personal.change, {
    invalidates: [personal.me],
    done() {
      write(undefined)
      toast(m.personal_changed())
    },
  })
  return (
    <div>
      <dt>{m.personal_name_en()}</dt>
      <dd className="profile-changeable">
        {userNameEn || m.personal_not_given()}
        {editable?.includes('userNameEn') ? (
          <Button small kind="plain" onClick={() => write(userNameEn)}>
            {m.personal_change()}
          </Button>
        ) : null}
        <Dialog
          open={name !== undefined}
          onClose={() => write(undefined)}
          title={m.personal_name_en()}
          actions={
            <Button
              wide
              busy={change.isPending}
              onClick={() => change.mutate({ body: { userNameEn: name ?? '' } })}
            >
              {m.personal_save()}
            </Button>
          }
        >
          <Field
            label={m.personal_name_en()}
            value={name ?? ''}
            maxLength={100}
            hint={m.personal_name_en_hint()}
            onValue={write}
          />
        </Dialog>
      </dd>
    </div>
  )
}
