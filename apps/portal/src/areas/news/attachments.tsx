import type { Attachment } from '@atrium/contract/news'
import { m } from '#paraglide/messages.js'
import { FileRow } from '../files/file-row.tsx'

/** The files that hang on an article: each opens its preview, and can be fetched. */
export function Attachments({ list }: { list: readonly Attachment[] }) {
  if (list.length === 0) return null
  return (
    <section className="article-attachments">
      <h3 className="article-attachments-title">{m.news_attachments()}</h3>
      <ul>
        {list.map(({ id, name, mediaType, size, url }) => (
          <FileRow key={id} name={name} mediaType={mediaType} byteSize={size} url={url} />
        ))}
      </ul>
    </section>
  )
}
