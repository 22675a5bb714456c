import { getLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'

/** In the details of a row: says that the linked content is not available in the reader's language. */
export function OnlyInLanguage({ zh, en }: { zh: boolean; en: boolean }) {
  if (zh === en || (getLanguage() === 'en' ? en : zh)) return null
  return (
    <>
      {' · '}
      <span className="unbroken">{zh ? m.ui_chinese_only() : m.ui_english_only()}</span>
    </>
  )
}
