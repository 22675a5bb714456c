import './result-row.css'
import type { SearchResult } from '@atrium/contract/discovery/search'
import type { ReactNode } from 'react'
import { formatDay, formatDayAndTime, formatRelativeTime } from '#lib/format.ts'
import { foreignLang, inLanguage } from '#lib/language.ts'
import { HrefLink } from '#shell/navigation/link.tsx'
import { MarkedText } from '#ui/marked-text.tsx'
import { IconTile } from '#ui/media/icon-tile.tsx'
import { kinds } from './kinds.ts'

type ResultRowProps = {
  result: SearchResult
  keyWords: string
  /** The service is being opened. */
  opening: boolean
  /** Opens results that are not screens of the portal; those are links. */
  onOpen: () => void
  onOpened: () => void
}

/** One result. A screen of the portal is a real link. */
export function ResultRow({ result, keyWords, opening, onOpen, onOpened }: ResultRowProps) {
  const { kind, title, titleEn, text, textEn, icon, iconUrl, at, firstDay, to } = result
  const words = [keyWords, ...keyWords.split(/\s+/)]
  const content = (
    <>
      <IconTile
        glyph={icon?.glyph ?? kinds[kind].glyph}
        tone={icon?.tone ?? kinds[kind].tone}
        url={iconUrl}
      />
      <span className="search-result-words">
        <MarkedWords className="search-result-title" zh={title} en={titleEn} words={words} />
        {text || textEn ? (
          <MarkedWords
            className="search-result-text two-lines"
            zh={text}
            en={textEn}
            words={words}
          />
        ) : null}
        {at ? (
          <time className="muted num" dateTime={firstDay ?? at}>
            {firstDay
              ? formatDay(firstDay, 'UTC')
              : kind === 'event'
                ? formatDayAndTime(at)
                : formatRelativeTime('search', at)}
          </time>
        ) : null}
      </span>
    </>
  )
  const isScreen = to.startsWith('/') && !to.startsWith('//') && kind !== 'person'
  return (
    <li className="search-result">
      {isScreen ? (
        <HrefLink href={to} className="search-result-open" onFollow={onOpened}>
          {content}
        </HrefLink>
      ) : (
        <button
          type="button"
          className="search-result-open"
          aria-busy={opening || undefined}
          onClick={() => {
            onOpened()
            onOpen()
          }}
        >
          {content}
        </button>
      )}
    </li>
  )
}

type MarkedWordsProps = { className: string; zh: string; en: string; words: readonly string[] }
function MarkedWords({ className, zh, en, words }: MarkedWordsProps): ReactNode {
  return (
    <span className={className} lang={foreignLang(zh, en)}>
      <MarkedText text={inLanguage(zh, en)} words={words} />
    </span>
  )
}
