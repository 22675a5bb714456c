import './uploader.css'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { m } from '#paraglide/messages.js'
import { Icon, type IconName } from '../media/icon.tsx'
import { IconButton } from './icon-button.tsx'
import type { Upload, Uploads } from './uploads.ts'

type UploaderProps = {
  label: string
  /** From `useUploads`, from which the page reads the results. */
  uploads: Uploads<unknown>
  list: readonly Upload<unknown>[]
  /** Shows pictures as thumbnails. */
  album?: boolean
  /** Accepted file types, as in the `accept` attribute. */
  accept?: string | undefined
  /** The order matters: shows buttons to move each one. */
  ordered?: boolean
  /** Called after an upload was removed. */
  onRemoved?: (upload: Upload<unknown>) => void
}

function choiceText(album: boolean | undefined, single: boolean) {
  if (album) return single ? m.ui_upload_image() : m.ui_upload_images()
  return single ? m.ui_upload_file() : m.ui_upload_files()
}

/** A member’s own store has room for more than anybody counts. */
const maxCounted = 20

/** A list of files to upload, with their progress. Each can be stopped, retried and removed. */
export function Uploader({
  label,
  uploads,
  list,
  album,
  accept,
  ordered,
  onRemoved,
}: UploaderProps) {
  const id = useId()
  const [rejectedCount, setRejectedCount] = useState(0)
  const full = list.length >= uploads.max
  const add = (files: File[]) => setRejectedCount(uploads.add(files))
  return (
    <section className="uploader" aria-labelledby={`${id}label`}>
      <p className="uploader-head">
        <span id={`${id}label`}>{label}</span>
        {uploads.max <= maxCounted ? (
          <span className="muted num">
            {list.length}/{uploads.max}
          </span>
        ) : null}
      </p>
      <ul className={album ? 'uploader-album' : 'uploader-files'}>
        {list.map((upload, index) => (
          <Item
            key={upload.id}
            upload={upload}
            uploads={uploads}
            album={album}
            isFirst={!ordered || index === 0}
            isLast={!ordered || index === list.length - 1}
            onRemoved={onRemoved}
          />
        ))}
        {full ? null : (
          <li className="uploader-choices">
            <Choice
              icon={album ? 'image' : 'plus'}
              text={choiceText(album, uploads.max === 1)}
              accept={accept ?? (album ? 'image/*' : undefined)}
              onFiles={add}
            />
            {album ? (
              <Choice icon="camera" text={m.ui_upload_camera()} camera onFiles={add} />
            ) : null}
          </li>
        )}
      </ul>
      <p className="uploader-note" role="status">
        {rejectedCount > 0 ? m.ui_upload_too_many({ max: uploads.max, count: rejectedCount }) : ''}
      </p>
    </section>
  )
}

type ChoiceProps = {
  icon: IconName
  text: string
  accept?: string | undefined
  /** Takes a photo; hidden on devices without a touch screen. */
  camera?: boolean
  onFiles: (files: File[]) => void
}

function Choice({ icon, text, accept, camera, onFiles }: ChoiceProps) {
  return (
    <label className={camera ? 'uploader-add uploader-camera' : 'uploader-add'}>
      <Icon name={icon} />
      {text}
      <input
        className="unseen"
        type="file"
        multiple={!camera}
        accept={camera ? 'image/*' : accept}
        capture={camera ? 'environment' : undefined}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          // Allows choosing the same file again.
          target.value = ''
        }}
      />
    </label>
  )
}

type ItemProps = ActionsProps & { album: boolean | undefined }

function Item({ album, ...rest }: ItemProps) {
  const ItemView = album ? AlbumItem : FileItem
  return <ItemView upload={rest.upload} actions={<Actions {...rest} />} />
}

type ItemViewProps = { upload: Upload<unknown>; actions: ReactNode }

function FileItem({ upload, actions }: ItemViewProps) {
  return (
    <li className="uploader-file">
      <Icon name="file" />
      <span className="uploader-name">
        <span>{upload.file.name}</span>
        <State upload={upload} />
      </span>
      {actions}
    </li>
  )
}

function AlbumItem({ upload, actions }: ItemViewProps) {
  const url = useObjectUrl(upload.file)
  return (
    <li className={`uploader-picture uploader-${upload.state}`}>
      {url ? <img src={url} alt={upload.file.name} /> : null}
      <State upload={upload} />
      {actions}
    </li>
  )
}

function State({ upload }: { upload: Upload<unknown> }) {
  const { state, share, timedOut, refused } = upload
  const percent = Math.round(share * 100)
  if (state === 'failed') {
    return (
      <span className="uploader-state uploader-state-failed" role="status">
        <Icon name="warning" />
        {refused || (timedOut ? m.ui_upload_timeout() : m.ui_upload_failed())}
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

type ActionsProps = {
  upload: Upload<unknown>
  uploads: Uploads<unknown>
  isFirst: boolean
  isLast: boolean
  onRemoved: UploaderProps['onRemoved']
}

function Actions({ upload, uploads, isFirst, isLast, onRemoved }: ActionsProps) {
  const { id, file, state, refused } = upload
  const { name } = file
  const onWay = state === 'waiting' || state === 'sending'
  return (
    <span className="uploader-actions">
      {isFirst ? null : (
        <IconButton label={m.ui_upload_forward({ name })} onClick={() => uploads.move(id, -1)}>
          <Icon name="back" />
        </IconButton>
      )}
      {isLast ? null : (
        <IconButton label={m.ui_upload_backward({ name })} onClick={() => uploads.move(id, 1)}>
          <Icon name="chevron" />
        </IconButton>
      )}
      {state === 'failed' && !refused ? (
        <IconButton label={m.ui_upload_retry({ name })} onClick={() => uploads.retry(id)}>
          <Icon name="refresh" />
        </IconButton>
      ) : null}
      <IconButton
        label={onWay ? m.ui_upload_cancel({ name }) : m.ui_upload_remove({ name })}
        onClick={() => {
          uploads.remove(id)
          onRemoved?.(upload)
        }}
      >
        <Icon name={onWay ? 'close' : 'trash'} />
      </IconButton>
    </span>
  )
}

/** An object URL for a local file, revoked on unmount. */
function useObjectUrl(file: File) {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return url
}
