import type { ScanInfo } from '@atrium/contract/shell/scan'

export const plainText: ScanInfo = {
  kind: 'text',
  href: '',
  host: '',
  title: '',
  titleEn: '',
  note: '',
  noteEn: '',
  facts: [],
}

/** The meaning of a text regardless of who scanned it; undefined for plain text. */
export function readScannedText(text: string): ScanInfo | undefined {
  // A payment code, readable by terminals only.
  if (/^86\d{16}$/.test(text))
    return {
      ...plainText,
      kind: 'card',
      title: '付款与身份码',
      titleEn: 'Payment and identity code',
      note: '只有学校的终端可以读取，请对准扫码窗口。',
      noteEn: 'Only the institution’s terminals can read it. Hold it to the scanner.',
    }
  if (/^97[89]\d{10}$/.test(text) && isEan(text))
    return {
      ...plainText,
      kind: 'book',
      href: `/pages/search/wholeSearch?keyWords=${text}`,
      title: '图书条码',
      titleEn: 'Book barcode',
      facts: [{ label: 'ISBN', value: text }],
    }
  return readPlaceCode(text)
}

/** Verifies the check digit (GS1). */
const isEan = (text: string) =>
  [...text].reduce((sum, digit, index) => sum + Number(digit) * (index % 2 === 0 ? 1 : 3), 0) %
    10 ===
  0

/** Parses `geo:29.43,120.28` (RFC 5870), with a name as map apps write it: `?q=29.43,120.28(Library)`. */
function readPlaceCode(text: string): ScanInfo | undefined {
  const [, latitude, longitude, query = ''] =
    /^geo:(-?\d{1,2}(?:\.\d{1,12})?),(-?\d{1,3}(?:\.\d{1,12})?)(?:[;,][^?]*)?(?:\?(.*))?$/i.exec(
      text,
    ) ?? []
  if (!latitude || !longitude) return undefined
  if (Math.abs(Number(latitude)) > 90 || Math.abs(Number(longitude)) > 180) return undefined
  const name = /\(([^()]{1,60})\)/.exec(new URLSearchParams(query).get('q') ?? '')?.[1] ?? ''
  const search = new URLSearchParams({ latitude, longitude, ...(name && { name }) })
  return {
    ...plainText,
    kind: 'place',
    href: `/open-location?${search}`,
    title: name || '地图上的地点',
    titleEn: name || 'A place on the map',
  }
}
