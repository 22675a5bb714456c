import type { UploadedFile } from '@atrium/contract/content/files'
import { useRef, useState } from 'react'
import { UploadField } from '#domains/content/files/upload-field.tsx'
import { m } from '#paraglide/messages.js'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon } from '#ui/media/icon.tsx'

type FilesFieldProps = {
  label: string
  hint: string
  /** ids of files, in order */
  value: readonly string[]
  names: ReadonlyMap<string, string>
  most: number
  error?: string
  onValue: (ids: string[] | undefined) => void
  onBusy: (busy: boolean) => void
}

/** Files of a form: those that were there, and what is uploaded now. */
export function FilesField(props: FilesFieldProps) {
  const { label, hint, value, names, most, error, onValue, onBusy } = props
  const [kept, setKept] = useState(value)
  const uploaded = useRef<UploadedFile[]>([])
  const tell = (before: readonly string[]) => {
    const ids = [...before, ...uploaded.current.map(({ id }) => id)]
    onValue(ids.length > 0 ? ids : undefined)
  }
  return (
    <div className="field">
      {hint ? <p className="muted">{hint}</p> : null}
      {kept.length > 0 ? (
        <ul className="form-files" aria-label={label}>
          {kept.map((id) => {
            const name = names.get(id) ?? m.forms_file()
            return (
              <li key={id} className="form-file">
                <Icon name="file" />
                <span>{name}</span>
                <IconButton
                  label={m.ui_upload_remove({ name })}
                  onClick={() => {
                    const left = kept.filter((one) => one !== id)
                    setKept(left)
                    tell(left)
                  }}
                >
                  <Icon name="trash" />
                </IconButton>
              </li>
            )
          })}
        </ul>
      ) : null}
      <UploadField
        label={label}
        most={most - kept.length}
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
      {error ? <p className="field-error">{error}</p> : null}
    </div>
  )
}
