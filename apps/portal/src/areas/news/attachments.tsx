import type { Attachment } from '@atrium/contract/news'
import { number } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { RowContent } from '#ui/list-row.tsx'

/** The files that hang on an article, each with its name and size. */
export function Attachments({ list }: { list: readonly Attachment[] }) {
  if (list.length === 0) return null
  return (
    <section className="article-attachments">
      <h3 className="article-attachments-title">{m.news_attachments()}</h3>
      <ul>
        {list.map(({ id, name, size, url }) => (
          <li key={id}>
            <a className="list-row" href={url} download={name}>
              <RowContent icon="file" value={sizeOf(size)}>
                {name}
              </RowContent>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

const sizeOf = (bytes: number) =>
  bytes < 1_000_000
    ? `${number(Math.max(1, Math.round(bytes / 1000)))} KB`
    : `${number(Math.round(bytes / 100_000) / 10)} MB`
