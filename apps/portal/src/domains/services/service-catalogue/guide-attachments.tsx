import '#domains/content/workbench/workbench-page.css'
import type { ManagedGuide } from '@atrium/contract/services/service-catalogue.operator'
import { useState } from 'react'
import { UploadField } from '#domains/content/files/upload-field.tsx'
import { m } from '#paraglide/messages.js'
import { Button } from '#ui/form/button.tsx'
import { Field } from '#ui/form/field.tsx'

type Attachment = ManagedGuide['attachments'][number]
const maxAttachments = 50
const maxName = 60

type AttachmentsProps = {
  attachments: Attachment[]
  issues: Record<string, string>
  onAttachments: (attachments: Attachment[]) => void
  onBusy: (busy: boolean) => void
}

/** Forms and samples attached to a guide, each with its own name. */
export function GuideAttachments({ attachments, issues, onAttachments, onBusy }: AttachmentsProps) {
  // An uploaded file becomes a row, and the upload field is reset.
  const [round, setRound] = useState(0)
  const set = (at: number, part: Partial<Attachment>) =>
    onAttachments(attachments.map((one, index) => (index === at ? { ...one, ...part } : one)))
  return (
    <fieldset className="workbench-group">
      <legend>{m.service_catalogue_attachments()}</legend>
      {attachments.map((one, at) => {
        const number = at + 1
        return (
          <div key={one.fileId} className="workbench-pairs">
            <Field
              label={m.service_catalogue_attachment_name({ number })}
              value={one.name}
              onValue={(name) => set(at, { name })}
              maxLength={maxName}
              error={issues[`attachments.${at}.name`] ?? issues[`attachments.${at}.fileId`] ?? ''}
            />
            <Field
              label={m.service_catalogue_attachment_name_en({ number })}
              value={one.nameEn}
              onValue={(nameEn) => set(at, { nameEn })}
              maxLength={120}
            />
            <Button
              kind="plain"
              small
              onClick={() => onAttachments(attachments.filter((_, index) => index !== at))}
            >
              {m.service_catalogue_attachment_remove({ number })}
            </Button>
          </div>
        )
      })}
      {attachments.length < maxAttachments ? (
        <UploadField
          key={round}
          label={m.service_catalogue_attachment_add()}
          max={1}
          onChange={([file], busy) => {
            onBusy(busy)
            if (!file) return
            const name = file.name.slice(0, maxName)
            onAttachments([...attachments, { name, nameEn: '', fileId: file.id }])
            setRound(round + 1)
          }}
        />
      ) : null}
    </fieldset>
  )
}
