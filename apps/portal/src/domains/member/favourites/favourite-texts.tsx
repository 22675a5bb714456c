import './favourites-page.css'
import type {
  FavouriteArticle,
  FavouriteFile,
  FavouriteService,
} from '@atrium/contract/member/favourites'
import { formatRelativeTime } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { IconTile } from '#ui/media/icon-tile.tsx'

export function ServiceText({ line }: { line: FavouriteService }) {
  const { serviceName, serviceNameEn, icon, iconUrl, managed } = line
  return (
    <>
      <IconTile glyph={icon.glyph} tone={icon.tone} url={iconUrl} />
      <span className="kept-text">
        <span className="kept-name">
          <Bilingual zh={serviceName} en={serviceNameEn} />
        </span>
        <span className="muted">
          {managed ? (
            line.managedBy ? (
              m.favourites_managed_by({ name: inLanguage(line.managedBy, line.managedByEn) })
            ) : (
              m.favourites_managed()
            )
          ) : (
            <Bilingual zh={line.departmentName} en={line.departmentNameEn} />
          )}
        </span>
      </span>
    </>
  )
}

export const NewsText = ({ line }: { line: FavouriteArticle }) => (
  <span className="kept-text">
    <span className="kept-name">
      <Bilingual zh={line.title} en={line.titleEn} />
    </span>
    <span className="muted num">
      <Bilingual zh={line.releaseDeptName} en={line.releaseDeptNameEn} />
      {line.releaseDeptName ? ' · ' : ''}
      {formatRelativeTime('favourites', line.favouriteAt)}
    </span>
  </span>
)

/** Our own files open in the preview; others open in a new tab. */
export const FileLink = ({ line }: { line: FavouriteFile }) =>
  line.fileLink.startsWith('/files/') ? (
    <Link className="kept-open" to="/pagesA/news/video" search={{ url: line.fileLink }}>
      <FileText line={line} />
    </Link>
  ) : (
    <a className="kept-open" href={line.fileLink} target="_blank" rel="noreferrer">
      <FileText line={line} />
    </a>
  )

export const FileText = ({ line }: { line: FavouriteFile }) => (
  <>
    <Icon name="file" />
    <span className="kept-text">
      <span className="kept-name">{line.fileName}</span>
      <span className="muted num">{formatRelativeTime('favourites', line.favouriteAt)}</span>
    </span>
  </>
)
