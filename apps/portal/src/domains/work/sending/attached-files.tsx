import type { UploadedFile } from '@atrium/contract/content/files'
import { useRef, useState } from 'react'
import { UploadField } from '#domains/content/files/upload-field.tsx'
import { m } from '#paraglide/messages.js'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { changeDraft, getDraft } from './draft.ts'

const maxFiles = 10

/** Files that go along: those of the draft, and what is uploaded now. */
export function AttachedFiles({ onBusy }: { onBusy: (busy: boolean) => void }) {
  const [kept, setKept] = useState(getDraft().files)
  const uploaded = useRef<UploadedFile[]>([])
  const tell = (before: typeof kept) =>
    changeDraft({
      files: [...before, ...uploaded.current.map(({ id, name }) => ({ fileId: id, name }))],
    })
  return (
    <>
      {kept.length > 0 ? (
        <ul className="sending-files" aria-label={m.sending_files()}>
          {kept.map(({ fileId, name }) => (
            <li key={fileId}>
              <Icon name="file" />
              <span>{name}</span>
              <IconButton
                label={m.ui_upload_remove({ name })}
                onClick={() => {
                  const left = kept.filter((one) => one.fileId !== fileId)
                  setKept(left)
                  tell(left)
                }}
              >
                <Icon name="trash" />
              </IconButton>
            </li>
          ))}
        </ul>
      ) : null}
      <UploadField
        label={m.sending_files()}
        most={maxFiles - kept.length}
        onChange={(list, busy) => {
          onBusy(busy)
          const same =
            list.length === uploaded.current.length &&
            list.every(({ id }, index) => id === uploaded.current[index]?.id)
          if (same) return
          uploaded.current = list
          tell(kept)
        }}
      />
    </>
  )
}
