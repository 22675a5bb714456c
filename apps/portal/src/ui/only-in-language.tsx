import { getLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'

type OnlyInLanguageProps = {
  zh: boolean
  en: boolean
  /** Separates it from what precedes it; `false` in a row with gaps. */
  dot?: boolean
}

/** In the details of a row: says that the linked content is not available in the reader's language. */
export function OnlyInLanguage({ zh, en, dot = true }: OnlyInLanguageProps) {
  if (zh === en || (getLanguage() === 'en' ? en : zh)) return null
  return (
    <>
      {dot ? ' · ' : null}
      <span className="unbroken">{zh ? m.ui_chinese_only() : m.ui_english_only()}</span>
    </>
  )
}
