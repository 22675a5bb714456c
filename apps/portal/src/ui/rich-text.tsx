import './rich-text.css'

/** A text with headings, lists, tables and pictures, as HTML that the server has sanitised. */
export function RichText({ html, lang }: { html: string; lang?: string | undefined }) {
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: only what the contract calls sanitised comes here
    <div className="rich-text" lang={lang} dangerouslySetInnerHTML={{ __html: html }} />
  )
}
