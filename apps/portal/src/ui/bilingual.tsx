import { foreignLang, inLanguage } from '#lib/language.ts'

/** Content that comes in two languages, marked where only the other one is there. */
export function Bilingual({ zh, en }: { zh: string; en: string }) {
  const text = inLanguage(zh, en)
  const lang = text && foreignLang(zh, en)
  return lang ? <span lang={lang}>{text}</span> : text
}
