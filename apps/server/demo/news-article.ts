/** An article as it is written down: texts may hold dates as in `writeDates`, counted from the day it appeared. */
export type WrittenArticle = {
  title: string
  en: string
  /** Code of the organisation that published it. */
  by: string
  /** Days before today on which it appeared. */
  days: number
  time: string
  author: string
  summary: string
  /** Key of a drawn picture. */
  picture?: string
  pinned?: boolean
  body: string
  bodyEn?: string
}
