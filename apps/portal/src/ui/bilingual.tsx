import { getLanguage, inLanguage } from '#lib/language.ts'

/** Content that comes in two languages, marked where only the other one is there. */
export function Bilingual({ zh, en }: { zh: string; en: string }) {
  const text = inLanguage(zh, en)
  if (!text || (getLanguage() === 'en' ? en : zh)) return text
  return <span lang={getLanguage() === 'en' ? 'zh-CN' : 'en'}>{text}</span>
}
