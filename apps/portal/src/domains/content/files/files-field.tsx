import './files.css'
import type { UploadedFile } from '@atrium/contract/content/files'
import { useRef, useState } from 'react'
import { m } from '#paraglide/messages.js'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { UploadField } from './upload-field.tsx'

type NamedFile = { id: string; name: string }
type FilesFieldProps = {
  label: string
  /** The files attached when the form was opened. */
  initialFiles: readonly NamedFile[]
  max: number
  onChange: (files: NamedFile[]) => void
  onBusy: (busy: boolean) => void
}

/** Attachments of an item: existing ones and new uploads. */
export function FilesField({ label, initialFiles, max, onChange, onBusy }: FilesFieldProps) {
  const [remainingIds, setRemainingIds] = useState(() => initialFiles.map(({ id }) => id))
  const uploaded = useRef<UploadedFile[]>([])
  // The names may load later than the ids.
  const remaining = remainingIds.map((id) => ({
    id,
    name: initialFiles.find((one) => one.id === id)?.name ?? '',
  }))
  const reportFiles = (files: readonly NamedFile[]) =>
    onChange([...files, ...uploaded.current.map(({ id, name }) => ({ id, name }))])
  return (
    <>
      {remaining.length > 0 ? (
        <ul className="kept-files" aria-label={label}>
          {remaining.map(({ id, name }) => (
            <li key={id}>
              <Icon name="file" />
              <span>{name}</span>
              <IconButton
                label={m.ui_upload_remove({ name })}
                onClick={() => {
                  const next = remaining.filter((one) => one.id !== id)
                  setRemainingIds(next.map((one) => one.id))
                  reportFiles(next)
                }}
              >
                <Icon name="trash" />
              </IconButton>
            </li>
          ))}
        </ul>
      ) : null}
      <UploadField
        label={label}
        max={max - remaining.length}
        onChange={(list, busy) => {
          onBusy(busy)
          const same =
            list.length === uploaded.current.length &&
            list.every(({ id }, index) => id === uploaded.current[index]?.id)
          if (same) return
          uploaded.current = list
          reportFiles(remaining)
        }}
      />
    </>
  )
}
