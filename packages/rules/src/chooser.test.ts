import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ChooserEntry, chooserKey, readContact, rebuildChooserList } from './chooser.ts'

test('groups of every kind, organisations, people, phones and emails stand in this order, each once', () => {
  expect(
    rebuildChooserList([
      { externalType: 'email', contactsNumber: 'a@example.edu' },
      { externalType: 'phone', contactsNumber: '13800000001' },
      { accountName: 'student' },
      { ins_code: 'library' },
      { accountName: 'student' },
      { eventId: '7' },
      { courseId: '7' },
      { listId: '7' },
      { courseId: '7' },
      { group_code: 'choir' },
      { externalType: 'email', contactsNumber: 'a@example.edu' },
      { accountName: 'teacher' },
      { group_code: 'choir' },
      { ins_code: 'library' },
    ]),
  ).toEqual([
    { group_code: 'choir' },
    { listId: '7' },
    { courseId: '7' },
    { eventId: '7' },
    { ins_code: 'library' },
    { accountName: 'student' },
    { accountName: 'teacher' },
    { externalType: 'phone', contactsNumber: '13800000001' },
    { externalType: 'email', contactsNumber: 'a@example.edu' },
  ])
})

const text = fc.constantFrom('a', 'b', 'c')
const entry: fc.Arbitrary<ChooserEntry> = fc.oneof(
  fc.record({ accountName: text }),
  fc.record({ group_code: text }),
  fc.record({ ins_code: text }),
  fc.record({ identityType: text }),
  fc.record({
    externalType: fc.constantFrom('email' as const, 'phone' as const),
    contactsNumber: text,
  }),
)

test('nobody is lost, nobody stands twice, and a list that was rebuilt stays as it is', () => {
  fc.assert(
    fc.property(fc.array(entry), (entries) => {
      const list = rebuildChooserList(entries)
      const keys = list.map(chooserKey)
      expect(new Set(keys)).toEqual(new Set(entries.map(chooserKey)))
      expect(new Set(keys).size).toBe(keys.length)
      expect(rebuildChooserList(list)).toEqual(list)
    }),
  )
})

test.each([
  [' Guest@Partner.example ', { externalType: 'email', contactsNumber: 'guest@partner.example' }],
  ['138 0000-0009', { externalType: 'phone', contactsNumber: '13800000009' }],
  ['+86 138 0000 0009', { externalType: 'phone', contactsNumber: '+8613800000009' }],
  ['12', undefined],
  ['nobody@', undefined],
  ['', undefined],
])('%j is an outside contact or is not', (text, contact) => {
  expect(readContact(text)).toEqual(contact)
})
