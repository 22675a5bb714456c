import './files.css'
import { formatBytes, kindOfFile } from '@atrium/rules/file-kinds'
import type { ReactNode } from 'react'
import { userTextLang } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { fileIcon } from './file-icon.ts'
import { downloadOf } from './media-address.ts'

type FileRowProps = {
  name: string
  mediaType: string
  byteSize: number
  /** its address, temporary or permanent */
  url: string
  /** Additional information. */
  note?: ReactNode
  /** Buttons at the end, such as favourite or delete. */
  actions?: ReactNode
}

/** A file in a list: opens its preview, can be downloaded, and has the list's own actions. Renders an `li`. */
export function FileRow({ name, mediaType, byteSize, url, note, actions }: FileRowProps) {
  return (
    <li className="file-row">
      <Link className="file-row-link" to="/pagesA/news/video" search={{ url }}>
        <Icon name={fileIcon[kindOfFile(name, mediaType)]} />
        <span className="file-row-words">
          <span className="file-row-name" lang={userTextLang(name)}>
            {name}
          </span>
          <span className="file-row-note num">
            {formatBytes(byteSize)}
            {note ? <> · {note}</> : null}
          </span>
        </span>
      </Link>
      <span className="file-row-actions">
        <a
          className="icon-button"
          href={downloadOf(url)}
          download={name}
          aria-label={m.files_download_named({ name })}
        >
          <Icon name="download" />
        </a>
        {actions}
      </span>
    </li>
  )
}
