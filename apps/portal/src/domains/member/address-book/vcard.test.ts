import { expect, test } from 'vitest'
import { folded, vcardOf } from './vcard.ts'

const nobody = {
  name: '周明远',
  title: '',
  path: [],
  mobile: null,
  email: null,
  officePhone: null,
  office: null,
}

test('a vCard contains the given fields and omits empty ones', () => {
  expect(vcardOf(nobody)).toBe(
    'BEGIN:VCARD\r\nVERSION:3.0\r\nN:周明远;;;;\r\nFN:周明远\r\nEND:VCARD\r\n',
  )
  const card = vcardOf({
    ...nobody,
    title: '副教授',
    path: [
      { id: '1', name: '江岚大学', nameEn: '' },
      { id: '2', name: '计算机学院', nameEn: '' },
    ],
    mobile: '13800000002',
    email: 'zhou@example.org',
    officePhone: '0579-86281000',
    office: '信息楼 301',
  })
  expect(card.split('\r\n').slice(4, -2)).toEqual([
    'ORG:江岚大学;计算机学院',
    'TITLE:副教授',
    'TEL;TYPE=CELL:13800000002',
    'TEL;TYPE=WORK,VOICE:0579-86281000',
    'EMAIL;TYPE=WORK:zhou@example.org',
    'ADR;TYPE=WORK:;;信息楼 301;;;;',
  ])
})

test('special characters in a name are escaped, so it cannot add a line or a field', () => {
  const card = vcardOf({ ...nobody, name: 'A;B,C\\D\nTEL:1' })
  expect(card).toContain('FN:A\\;B\\,C\\\\D\\nTEL:1\r\n')
  expect(card.split('\r\n')).toHaveLength(6)
})

test('long lines are folded at 75 octets, between characters', () => {
  const card = folded(vcardOf({ ...nobody, title: '教'.repeat(60) }))
  for (const line of card.split('\r\n'))
    expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75)
  expect(card.replaceAll('\r\n ', '')).toContain(`TITLE:${'教'.repeat(60)}`)
})
