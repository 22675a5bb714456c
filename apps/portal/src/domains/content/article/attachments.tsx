import type { Attachment } from '@atrium/contract/content/news'
import { FileRow } from '#domains/content/files/file-row.tsx'
import { m } from '#paraglide/messages.js'

/** An article's attachments: each opens its preview and can be downloaded. */
export function Attachments({ list }: { list: readonly Attachment[] }) {
  if (list.length === 0) return null
  return (
    <section className="article-attachments">
      <h3 className="article-attachments-title">{m.news_attachments()}</h3>
      <ul>
        {list.map(({ id, name, mediaType, size, url }) => (
          <FileRow
            key={id}
            name={name}
            mediaType={mediaType}
            byteSize={size}
            url={withName(url, name)}
          />
        ))}
      </ul>
    </section>
  )
}

/** The same file may be attached elsewhere under another name. */
const withName = (url: string, name: string) =>
  url.replace(/^\/files\/\d+/, (file) => `${file}/${encodeURIComponent(name)}`)
