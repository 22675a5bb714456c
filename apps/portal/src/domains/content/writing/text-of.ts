import type { Managed } from '#domains/content/editorial/workbench-queries.ts'
import type { Text } from './autosave.ts'

export const blankText = (kind: Text['kind'], columnId: string): Text => ({
  columnId,
  kind,
  title: '',
  titleEn: '',
  summary: '',
  format: 'html',
  text: '',
  textEn: '',
  author: '',
  needsConfirmation: kind === 'announcement',
  titleImageFileId: null,
  titleImageFocus: null,
  attachments: [],
})

/** The newest text as HTML, whatever its source format; its picture addresses are valid for ten minutes. */
export const textOf = ({ text, editable, editableEn }: Managed): Text => ({
  ...text,
  format: 'html',
  text: editable,
  textEn: editableEn,
})

/** The text stored on the device, with newly signed picture addresses. */
export function withFreshPictures(text: Text, { editable, editableEn }: Managed): Text {
  const fresh = new Map(
    [...`${editable}${editableEn}`.matchAll(/(\/files\/(\d+)[^"?]*\?[^"]*)"/g)].map(
      ([, address, id]) => [id, address] as const,
    ),
  )
  const renew = (html: string) =>
    html.replaceAll(/\/files\/(\d+)[^"]*/g, (address, id: string) => fresh.get(id) ?? address)
  return { ...text, text: renew(text.text), textEn: renew(text.textEn) }
}

/** The beginning of the text as a summary, cut at a sentence end if possible. */
export function suggestedSummary(html: string, maxLength = 120): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const element of body.querySelectorAll('table, [data-tex]')) element.remove()
  const text = [...body.querySelectorAll('p, li')]
    .filter((element) => element.matches('p') || !element.querySelector('p'))
    .map((element) => element.textContent?.trim() ?? '')
    .filter(Boolean)
    .join(' ')
    .replaceAll(/\s+/g, ' ')
  if (text.length <= maxLength) return text
  const cut = text.slice(0, maxLength)
  const end = Math.max(...['。', '！', '？', '. ', '; ', '；'].map((sign) => cut.lastIndexOf(sign)))
  return end > maxLength / 3 ? cut.slice(0, end + 1).trim() : `${cut.slice(0, maxLength - 1)}…`
}

/** The number of pictures without alternative text. */
export const countMissingAltTexts = (html: string) =>
  [...html.matchAll(/<img\b[^>]*>/g)].filter(([image]) => !/\balt="[^"]+"/.test(image)).length

/** The addresses of pictures on other sites, which readers see only as links. */
export const foreignPictures = (html: string) =>
  [...html.matchAll(/<img\b[^>]*\ssrc="(https?:[^"]*)"/g)].map(([, src = '']) =>
    src.replaceAll('&amp;', '&'),
  )
