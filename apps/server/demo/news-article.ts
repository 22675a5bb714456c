/** A written article. Texts may contain dates as in `writeDates`, relative to the day of publication. */
export type WrittenArticle = {
  title: string
  en: string
  /** Code of the publishing organisation. */
  by: string
  /** Published this many days ago. */
  days: number
  time: string
  author: string
  summary: string
  /** Key of its picture. */
  picture?: string
  pinned?: boolean
  body: string
  bodyEn?: string
}
