import { writtenLang } from '#lib/language.ts'

/** What somebody wrote, in whichever language: marked where that is not the reader's. */
export function Written({ children }: { children: string }) {
  const lang = writtenLang(children)
  return lang ? <span lang={lang}>{children}</span> : children
}
