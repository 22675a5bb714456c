import type { BookPersonDetail } from '@atrium/contract/member/address-book'

/** Octets of a line, without its end (RFC 2426, 2.6). */
const longest = 75

const escaped = (text: string) =>
  text.replaceAll(/[\\;,]/g, (sign) => `\\${sign}`).replaceAll(/\r?\n/g, '\\n')

type Card = Pick<
  BookPersonDetail,
  'name' | 'title' | 'path' | 'mobile' | 'email' | 'officePhone' | 'office'
>

/** A contact as a vCard 3.0, with exactly the data shown here. */
export function vcardOf({ name, title, path, mobile, email, officePhone, office }: Card): string {
  const units = path.map((place) => escaped(place.name))
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:${escaped(name)};;;;`,
    `FN:${escaped(name)}`,
    units.length > 0 && `ORG:${units.join(';')}`,
    title && `TITLE:${escaped(title)}`,
    mobile && `TEL;TYPE=CELL:${mobile}`,
    officePhone && `TEL;TYPE=WORK,VOICE:${officePhone}`,
    email && `EMAIL;TYPE=WORK:${escaped(email)}`,
    office && `ADR;TYPE=WORK:;;${escaped(office)};;;;`,
    'END:VCARD',
  ]
  return lines
    .filter((line) => typeof line === 'string' && line !== '')
    .map((line) => `${line}\r\n`)
    .join('')
}

/** Folds long lines without splitting characters: for files; a QR code is better kept short. */
export const folded = (card: string) =>
  card
    .split('\r\n')
    .map((line) => {
      const parts = ['']
      let octets = 0
      for (const character of line) {
        const size = new TextEncoder().encode(character).length
        // A continuation line begins with a space, which counts.
        if (octets + size > longest) {
          parts.push(' ')
          octets = 1
        }
        parts[parts.length - 1] += character
        octets += size
      }
      return parts.join('\r\n')
    })
    .join('\r\n')
