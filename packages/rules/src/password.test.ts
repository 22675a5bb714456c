import { dictionary } from '@zxcvbn-ts/language-common'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { passwordIssue, passwordStrength } from './password.ts'

const owner = {
  usernames: ['20260001'],
  name: '张 晓明',
  nameEn: 'Zhang Xiaoming',
  mobile: '+86 138 0000 0001',
  email: 'xming.z@example.edu',
  words: ['Yunlu University'],
}

test.each([
  ['seven77', 'short'],
  ['密码密码密码密', 'short'],
  ['a'.repeat(201), 'long'],
  ['Password1', 'common'],
  ['PASSWORD1', 'common'],
  ['ｐａｓｓｗｏｒｄ１', 'common'],
  ['woaini1314', 'common'],
  ['5201314520', 'common'],
  ['aaaaaaaabb', 'common'],
  ['x-20260001-x', 'personal'],
  ['张晓明的密码只有我知道', 'personal'],
  ['xiaomingzhang rides a bike', 'personal'],
  ['call me 1380 0000 001!', 'personal'],
  ['dear xming.z of the north', 'personal'],
  ['qwer1234asdf', 'weak'],
  ['password1!', 'weak'],
  ['P@ssw0rd2026', 'weak'],
  ['abcdefgh123', 'weak'],
  ['19990101', 'weak'],
  ['correct horse battery', undefined],
  ['密码不要太简单了', undefined],
  ['   many spaces   are fine too', undefined],
  ['🦩🪁🧭🎐🪴🧶🫖🪺', undefined],
])('password “%s” has the issue %s', (password, issue) => {
  expect(passwordIssue(password, owner)).toBe(issue)
})

test('the 3000 most common passwords of sufficient length are refused', () => {
  const long = dictionary['passwords-common'].filter((word) => [...word].length >= 8).slice(0, 3000)
  expect(long).toHaveLength(3000)
  expect(long.filter((word) => !passwordIssue(word))).toEqual([])
})

test('no text makes passwordIssue throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      passwordIssue(text, owner)
    }),
    { numRuns: 25 },
  )
}, 20_000)

test('words about the owner make a password weaker', () => {
  expect(passwordStrength('Yunlu University 7', owner)).toBeLessThan(
    passwordStrength('Yunlu University 7'),
  )
})
