import { files, type UploadedFile } from '@atrium/contract/content/files'
import { acceptedFiles } from '@atrium/rules/file-kinds'
import { useEffect, useRef } from 'react'
import { call } from '#lib/api.ts'
import { Uploader } from '#ui/form/uploader.tsx'
import { useUploads } from '#ui/form/uploads.ts'
import { sendUpload } from './send-upload.ts'

type UploadFieldProps = {
  label: string
  /** Shows pictures as thumbnails; phones offer the camera. */
  album?: boolean
  max?: number
  /** The order matters: files can be moved. */
  ordered?: boolean
  /** Called on every change with the uploaded files in order, and whether an upload is still running. */
  onChange: (uploaded: UploadedFile[], busy: boolean) => void
}

/** Files to attach: can be chosen, uploaded, moved and removed. */
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
        // Frees the space; the server keeps a file that is already in use.
        if (result)
          call(files.remove, { params: { id: (result as UploadedFile).id } }).catch(() => {})
      }}
    />
  )
}
