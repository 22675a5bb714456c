import type { Topic } from '@atrium/contract/define'
import type { SearchAnswer, SearchKind, SearchResult } from '@atrium/contract/discovery/search'
import { extension } from './extension.ts'
import type { Viewer } from './http/guard.ts'
import type { Platform } from './platform.ts'

/** What somebody looks for. */
export type Wanted = {
  /** as it was typed: NFKC, lower case, one space between words */
  text: string
  /** its words; those that say nothing (how, the, 怎么) only where there are no others */
  words: readonly string[]
  /** other wordings of the same, from synonyms */
  variants: readonly string[]
}

/** Something that may be found, before it is weighed. What it leaves out is empty. */
export type Candidate = Pick<SearchResult, 'id' | 'title'> &
  Partial<Omit<SearchResult, 'kind' | 'id' | 'title'>> & {
    /** words it is also found by */
    words?: readonly string[]
    /** how much it is used among its kind, from 0 to 1 */
    popularity?: number
  }

/** A candidate that is kept in memory, with who may find it. */
export type Entry = Candidate & {
  shownTo: { audienceId: number } | 'members' | 'everybody'
  /** ISO 8601; null: without a beginning or an end */
  from?: string | null
  until?: string | null
  /** what its address takes where {keyWords} stands */
  field?: { name: string; nameEn: string }
}

/** Things that are few, such as services: all of them are kept in memory until one of the topics is invalidated. */
export type EntrySource = {
  kind: SearchKind
  topics: readonly Topic[]
  entries: (platform: Platform) => Promise<Entry[]>
}

/** Things that are many, such as articles: the database is asked. Only what the viewer may see is found. */
export type RecordSource = {
  kind: SearchKind
  access: 'guest' | 'member'
  find: (
    platform: Platform,
    viewer: Viewer,
    wanted: Wanted,
    page: RecordPage,
  ) => Promise<Candidate[]>
}
/** @property alone whether no other kind is asked, so that there is time to look further back */
export type RecordPage = { limit: number; offset: number; alone: boolean }

/** The best of a kind for a text among the entries that the viewer may see, with how well it fits from 0 to 1. */
export type BestEntry = (
  kind: SearchKind,
  text: string,
) => Promise<{ entry: Entry; fit: number } | undefined>

/** Answers what is asked, or nothing where it is not its question. */
export type AnswerSource = (
  platform: Platform,
  viewer: Viewer,
  wanted: Wanted,
  best: BestEntry,
) => Promise<SearchAnswer | undefined>

/** What an area offers to the search. */
export type Searchable = {
  entries?: readonly EntrySource[]
  records?: readonly RecordSource[]
  answers?: readonly AnswerSource[]
}

export const searchable = extension<Searchable>()

/** The parts of an answer that most answers leave empty. */
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
