import './translation-note.css'
import { getLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import type { TranslationState } from './translation-queries.ts'

/**
 * Shown above a text without a version in the reader's language: says so, and offers a machine translation if
 * available.
 */
export function TranslationNote({ state }: { state: TranslationState }) {
  const { foreign, host, translated, isThere, isBusy, failure } = state
  if (!foreign) return null
  const only = getLanguage() === 'en' ? m.ui_chinese_only() : m.ui_english_only()
  return (
    <div className="translation-note">
      <p>
        {translated ? m.translation_made({ host: translated.host }) : only}
        {!translated && host ? <> · {m.translation_by({ host })}</> : null}
      </p>
      {isThere ? (
        <button type="button" onClick={() => state.showOriginal(translated !== undefined)}>
          {translated ? m.translation_original() : m.translation_again()}
        </button>
      ) : host ? (
        <button type="button" disabled={isBusy} onClick={state.translate}>
          {isBusy ? m.translation_busy() : m.translation_translate()}
        </button>
      ) : null}
      <p role="status" className="translation-failed">
        {failure}
      </p>
    </div>
  )
}
