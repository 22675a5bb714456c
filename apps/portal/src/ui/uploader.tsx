import './uploader.css'
import { useEffect, useId, useState } from 'react'
import { m } from '#paraglide/messages.js'
import { Icon } from './icon.tsx'
import { IconButton } from './icon-button.tsx'
import type { Upload, Uploads } from './uploads.ts'

type UploaderProps = {
  label: string
  /** From `useUploads`, which the page reads the results from. */
  uploads: Uploads<unknown>
  list: readonly Upload<unknown>[]
  /** Pictures, shown as such. */
  album?: boolean
  /** Kinds of files, as a file field takes them. */
  accept?: string
}

/** Files to send along: chosen, on their way, there. Each can be stopped, sent again and taken off. */
export function Uploader({ label, uploads, list, album, accept }: UploaderProps) {
  const id = useId()
  const [leftOut, setLeftOut] = useState(0)
  const full = list.length >= uploads.most
  return (
    <section className="uploader" aria-labelledby={`${id}label`}>
      <p className="uploader-head">
        <span id={`${id}label`}>{label}</span>
        <span className="muted num">
          {list.length}/{uploads.most}
        </span>
      </p>
      <ul className={album ? 'uploader-album' : 'uploader-files'}>
        {list.map((upload) =>
          album ? (
            <AlbumItem key={upload.id} upload={upload} uploads={uploads} />
          ) : (
            <FileItem key={upload.id} upload={upload} uploads={uploads} />
          ),
        )}
        {full ? null : (
          <li>
            <label className="uploader-add">
              <Icon name={album ? 'camera' : 'plus'} />
              {album ? m.ui_upload_images() : m.ui_upload_files()}
              <input
                className="unseen"
                type="file"
                multiple
                accept={accept ?? (album ? 'image/*' : undefined)}
                onChange={({ target }) => {
                  setLeftOut(uploads.add([...(target.files ?? [])]))
                  // The same file may be chosen again.
                  target.value = ''
                }}
              />
            </label>
          </li>
        )}
      </ul>
      <p className="uploader-note" role="status">
        {leftOut > 0 ? m.ui_upload_too_many({ most: uploads.most, count: leftOut }) : ''}
      </p>
    </section>
  )
}

type ItemProps = { upload: Upload<unknown>; uploads: Uploads<unknown> }

function FileItem({ upload, uploads }: ItemProps) {
  return (
    <li className="uploader-file">
      <Icon name="file" />
      <span className="uploader-name">
        <span className="one-line">{upload.file.name}</span>
        <State upload={upload} />
      </span>
      <Actions upload={upload} uploads={uploads} />
    </li>
  )
}

function AlbumItem({ upload, uploads }: ItemProps) {
  const url = useObjectUrl(upload.file)
  return (
    <li className={`uploader-picture uploader-${upload.state}`}>
      {url ? <img src={url} alt={upload.file.name} /> : null}
      <State upload={upload} />
      <Actions upload={upload} uploads={uploads} />
    </li>
  )
}

function State({ upload: { state, share, timedOut } }: { upload: Upload<unknown> }) {
  const percent = Math.round(share * 100)
  if (state === 'failed') {
    return (
      <span className="uploader-state uploader-state-failed" role="status">
        <Icon name="warning" />
        {timedOut ? m.ui_upload_timeout() : m.ui_upload_failed()}
      </span>
    )
  }
  if (state === 'done')
    return (
      <span className="uploader-state">
        <Icon name="check" />
        {m.ui_upload_done()}
      </span>
    )
  return (
    <span className="uploader-state num">
      {state === 'waiting' ? m.ui_upload_waiting() : m.ui_upload_sending({ percent })}
      <span className="uploader-bar" aria-hidden="true">
        <span style={{ transform: `scaleX(${share})` }} />
      </span>
    </span>
  )
}

function Actions({ upload: { id, file, state }, uploads }: ItemProps) {
  const onWay = state === 'waiting' || state === 'sending'
  return (
    <span className="uploader-actions">
      {state === 'failed' ? (
        <IconButton
          label={m.ui_upload_retry({ name: file.name })}
          onClick={() => uploads.retry(id)}
        >
          <Icon name="refresh" />
        </IconButton>
      ) : null}
      <IconButton
        label={
          onWay ? m.ui_upload_cancel({ name: file.name }) : m.ui_upload_remove({ name: file.name })
        }
        onClick={() => uploads.remove(id)}
      >
        <Icon name={onWay ? 'close' : 'trash'} />
      </IconButton>
    </span>
  )
}

/** An address for what lies on the device, given back when it shows no more. */
function useObjectUrl(file: File) {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return url
}
