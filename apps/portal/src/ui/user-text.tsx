import { userTextLang } from '#lib/language.ts'

/** A text written by a user, with `lang` if it is not in the reader's language. */
export function UserText({ children }: { children: string }) {
  const lang = userTextLang(children)
  return lang ? <span lang={lang}>{children}</span> : children
}
