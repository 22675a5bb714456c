import type { Topic } from '@atrium/contract/define'
import type { SearchAnswer, SearchKind, SearchResult } from '@atrium/contract/discovery/search'
import { extension } from './extension.ts'
import type { Viewer } from './http/guard.ts'
import type { Platform } from './platform.ts'

/** A parsed search query. */
export type ParsedQuery = {
  /** as typed, normalised: NFKC, lower case, single spaces */
  text: string
  /** its words; stop words (how, the, 怎么) only if there are no others */
  words: readonly string[]
  /** alternative wordings, from synonyms */
  variants: readonly string[]
}

/** A possible result before scoring. Omitted fields are empty. */
export type Candidate = Pick<SearchResult, 'id' | 'title'> &
  Partial<Omit<SearchResult, 'kind' | 'id' | 'title'>> & {
    /** further words that find it */
    words?: readonly string[]
    /** popularity among its kind, from 0 to 1 */
    popularity?: number
  }

/** A candidate in the in-memory index, with its visibility. */
export type Entry = Candidate & {
  shownTo: { audienceId: number } | 'members' | 'everybody'
  /** ISO 8601; null: open-ended */
  from?: string | null
  until?: string | null
  /** the value for {keyWords} in its address */
  field?: { name: string; nameEn: string }
}

/** A source of few items, such as services: all are kept in memory until one of the topics is invalidated. */
export type EntrySource = {
  kind: SearchKind
  topics: readonly Topic[]
  entries: (platform: Platform) => Promise<Entry[]>
}

/** A source of many items, such as articles: queries the database and returns only what the viewer may see. */
export type RecordSource = {
  kind: SearchKind
  access: 'guest' | 'member'
  find: (
    platform: Platform,
    viewer: Viewer,
    query: ParsedQuery,
    page: RecordPage,
  ) => Promise<Candidate[]>
}
/** @property alone whether only this kind is searched, which leaves time to go further back */
export type RecordPage = { limit: number; offset: number; alone: boolean }

/** The best matching entry of a kind that the viewer may see, with its fit from 0 to 1. */
export type BestEntry = (
  kind: SearchKind,
  text: string,
) => Promise<{ entry: Entry; fit: number } | undefined>

/** Returns a direct answer to the query, or undefined if it is not a question for this source. */
export type AnswerSource = (
  platform: Platform,
  viewer: Viewer,
  query: ParsedQuery,
  best: BestEntry,
) => Promise<SearchAnswer | undefined>

/** What an area contributes to the search. */
export type Searchable = {
  entries?: readonly EntrySource[]
  records?: readonly RecordSource[]
  answers?: readonly AnswerSource[]
}

export const searchable = extension<Searchable>()

/** Defaults for fields that most answers leave empty. */
export const emptyAnswer: Pick<
  SearchAnswer,
  'text' | 'textEn' | 'at' | 'facts' | 'ways' | 'field'
> = {
  text: '',
  textEn: '',
  at: null,
  facts: [],
  ways: [],
  field: null,
}
