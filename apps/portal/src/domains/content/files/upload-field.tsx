import { files, type UploadedFile } from '@atrium/contract/content/files'
import { acceptedFiles } from '@atrium/rules/file-kinds'
import { useEffect, useRef } from 'react'
import { call } from '#lib/api.ts'
import { Uploader } from '#ui/form/uploader.tsx'
import { useUploads } from '#ui/form/uploads.ts'
import { sendUpload } from './send-upload.ts'

type UploadFieldProps = {
  label: string
  /** Pictures, shown as such; a phone offers its camera. */
  album?: boolean
  max?: number
  /** The order matters: each can be moved. */
  ordered?: boolean
  /** Told whenever it changes: what is there, in order, and whether something is still on its way. */
  onChange: (uploaded: UploadedFile[], busy: boolean) => void
}

/** Files that go along with something: chosen, sent, moved, taken off again. */
export function UploadField({ label, album, max, ordered, onChange }: UploadFieldProps) {
  const { uploads, list } = useUploads(sendUpload, max)
  const change = useRef(onChange)
  change.current = onChange
  useEffect(() => {
    change.current(
      list.flatMap(({ result }) => (result ? [result] : [])),
      list.some(({ state }) => state === 'waiting' || state === 'sending'),
    )
  }, [list])
  return (
    <Uploader
      label={label}
      uploads={uploads}
      list={list}
      album={album ?? false}
      ordered={ordered ?? false}
      accept={album ? 'image/jpeg,image/png,image/gif,image/webp' : acceptedFiles}
      onRemoved={({ result }) => {
        // It gives its space back; where it is used already it stays.
        if (result)
          call(files.remove, { params: { id: (result as UploadedFile).id } }).catch(() => {})
      }}
    />
  )
}
