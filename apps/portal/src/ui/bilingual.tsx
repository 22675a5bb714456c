import { foreignLang, inLanguage } from '#lib/language.ts'

/** Bilingual content, with `lang` if only the other language is available. */
export function Bilingual({ zh, en }: { zh: string; en: string }) {
  const text = inLanguage(zh, en)
  const lang = text && foreignLang(zh, en)
  return lang ? <span lang={lang}>{text}</span> : text
}
