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
  before: readonly NamedFile[]
  max: number
  onChange: (files: NamedFile[]) => void
  onBusy: (busy: boolean) => void
}

/** Attachments of an item: existing ones and new uploads. */
export function FilesField({ label, before, max, onChange, onBusy }: FilesFieldProps) {
  const [left, setLeft] = useState(() => before.map(({ id }) => id))
  const uploaded = useRef<UploadedFile[]>([])
  // The names may load later than the ids.
  const kept = left.map((id) => ({ id, name: before.find((one) => one.id === id)?.name ?? '' }))
  const tell = (files: readonly NamedFile[]) =>
    onChange([...files, ...uploaded.current.map(({ id, name }) => ({ id, name }))])
  return (
    <>
      {kept.length > 0 ? (
        <ul className="kept-files" aria-label={label}>
          {kept.map(({ id, name }) => (
            <li key={id}>
              <Icon name="file" />
              <span>{name}</span>
              <IconButton
                label={m.ui_upload_remove({ name })}
                onClick={() => {
                  const next = kept.filter((one) => one.id !== id)
                  setLeft(next.map((one) => one.id))
                  tell(next)
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
        max={max - kept.length}
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
