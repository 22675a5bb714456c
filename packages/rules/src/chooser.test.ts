import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ChooserEntry, chooserKey, readContact, rebuildChooserList } from './chooser.ts'

test('groups, organisations, people, phones and emails are listed in this order, without duplicates', () => {
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

test('every entry is kept exactly once, and rebuilding the list again does not change it', () => {
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
])('readContact(%j) returns %j', (text, contact) => {
  expect(readContact(text)).toEqual(contact)
})
