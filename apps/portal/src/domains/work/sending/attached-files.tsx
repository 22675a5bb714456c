import { useState } from 'react'
import { FilesField } from '#domains/content/files/files-field.tsx'
import { m } from '#paraglide/messages.js'
import { changeDraft, getDraft } from './draft.ts'

const maxFiles = 10

/** Attachments: those of the draft and new uploads. */
export function AttachedFiles({ onBusy }: { onBusy: (busy: boolean) => void }) {
  const [initialFiles] = useState(() =>
    getDraft().files.map(({ fileId: id, name }) => ({ id, name })),
  )
  return (
    <FilesField
      label={m.sending_files()}
      initialFiles={initialFiles}
      max={maxFiles}
      onChange={(files) =>
        changeDraft({ files: files.map(({ id, name }) => ({ fileId: id, name })) })
      }
      onBusy={onBusy}
    />
  )
}
