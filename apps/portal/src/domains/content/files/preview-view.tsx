import type { FilePreview } from '@atrium/contract/content/files'
import { formatBytes, kindOfFile } from '@atrium/rules/file-kinds'
import { lazy, Suspense, useState } from 'react'
import { m } from '#paraglide/messages.js'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { fileIcon } from './file-icon.ts'

const PdfView = lazy(() => import('./pdf-view.tsx'))

/** The preview of a file, or why there is none. */
export function PreviewView({ preview }: { preview: FilePreview }) {
  const { kind, status, name, url, text, rows, truncated } = preview
  if (status === 'waiting')
    return (
      <div role="status">
        <Skeleton height={320} label={m.files_converting()} />
        <p className="file-note muted">{m.files_converting()}</p>
      </div>
    )
  if (status !== 'ready') return <NoPreview preview={preview} />
  switch (kind) {
    case 'image':
      return <img className="file-picture" src={url} alt={name} />
    case 'video':
    case 'audio':
      return <Player kind={kind} url={url} name={name} />
    case 'pdf':
      return (
        <Suspense fallback={<Skeleton height={480} label={m.shell_loading()} />}>
          <PdfView url={url} name={name} failed={<NoPreview preview={preview} />} />
        </Suspense>
      )
    case 'text':
      return (
        <Card>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long line is scrolled by keyboard too */}
          <pre className="file-text" tabIndex={0}>
            {text}
          </pre>
          {truncated ? <p className="file-note muted">{m.files_truncated()}</p> : null}
        </Card>
      )
    case 'table':
      return (
        <Card>
          <Table rows={rows} name={name} />
          {truncated ? <p className="file-note muted">{m.files_truncated()}</p> : null}
        </Card>
      )
    default:
      return <NoPreview preview={preview} />
  }
}

function NoPreview({ preview }: { preview: FilePreview }) {
  const { name, mediaType, byteSize, downloadUrl, status } = preview
  return (
    <Empty
      icon={fileIcon[kindOfFile(name, mediaType)]}
      title={status === 'failed' ? m.files_failed() : m.files_unavailable()}
      action={
        <a className="button button-primary" href={downloadUrl} download={name}>
          {m.files_download_size({ size: formatBytes(byteSize) })}
        </a>
      }
    >
      {status === 'failed' ? m.files_failed_text() : m.files_unavailable_text()}
    </Empty>
  )
}

type PlayerProps = { kind: 'video' | 'audio'; url: string; name: string }

/** A video or sound with the browser's own controls. */
export function Player({ kind, url, name }: PlayerProps) {
  const [failed, setFailed] = useState(false)
  if (failed)
    return (
      <Empty icon={fileIcon[kind]} title={m.files_cannot_play()}>
        {m.files_cannot_play_text()}
      </Empty>
    )
  const label = name || m.files_media()
  return kind === 'video' ? (
    // biome-ignore lint/a11y/useMediaCaption: whoever uploaded it gave none
    <video
      className="file-player"
      src={url}
      controls
      playsInline
      preload="metadata"
      aria-label={label}
      onError={() => setFailed(true)}
    />
  ) : (
    // biome-ignore lint/a11y/useMediaCaption: whoever uploaded it gave none
    <audio
      className="file-player"
      src={url}
      controls
      preload="metadata"
      aria-label={label}
      onError={() => setFailed(true)}
    />
  )
}

/** The first row is taken as the column headers, as in most tables. */
function Table({ rows, name }: { rows: string[][]; name: string }) {
  const [head = [], ...body] = rows
  // Rows and cells never move, so the index is the key.
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard too
    <section className="file-table fade-edges" tabIndex={0} aria-label={name}>
      <table>
        <thead>
          <tr>
            {head.map((cell, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cells stay where they are
              <th key={at} scope="col">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows stay where they are
            <tr key={at}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells stay where they are
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
