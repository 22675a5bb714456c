import { expect, test } from 'vitest'
import { needsOf, normalizeAnswer, type ProofStatus, questionIssues } from './rules.ts'

const bare: ProofStatus = { confirmed: false, proofs: [], hasContact: false, hasQuestions: false }

test.each<[Parameters<typeof needsOf>[0], Partial<ProofStatus>, string]>([
  ['password', {}, 'confirm'],
  ['password', { confirmed: true }, ''],
  ['password', { confirmed: true, hasContact: true }, ''],
  ['password', { hasQuestions: true }, 'confirm questions'],
  ['password', { confirmed: true, hasQuestions: true, proofs: ['mobile'] }, 'questions'],
  ['mobile', { confirmed: true }, ''],
  ['mobile', { hasContact: true }, 'confirm contact'],
  ['mobile', { confirmed: true, hasContact: true, proofs: ['mobile'] }, ''],
  ['mobile', { confirmed: true, hasContact: true, proofs: ['email'] }, ''],
  ['mobile', { confirmed: true, hasContact: true, proofs: ['questions'] }, 'contact'],
  ['email', { confirmed: true, hasContact: true, hasQuestions: true }, 'questions contact'],
  ['email', { hasContact: true, proofs: ['email', 'mobile'] }, 'confirm'],
  ['questions', { confirmed: true }, ''],
  ['questions', { confirmed: true, hasContact: true }, 'contact'],
  ['questions', { confirmed: true, hasContact: true, hasQuestions: true }, 'questions'],
  ['questions', { confirmed: true, hasQuestions: true, proofs: ['questions'] }, ''],
  ['questions', { hasContact: true, hasQuestions: true, proofs: ['email'] }, 'confirm'],
])('changing %s with %o requires: %s', (change, standing, needs) => {
  expect(needsOf(change, { ...bare, ...standing }).join(' ')).toBe(needs)
})

test('answers are normalised in case, spaces, punctuation and character width', () => {
  expect(normalizeAnswer(' Ｌü Xun, Primary-School。 ')).toBe('lüxunprimaryschool')
})

test.each([
  [
    [
      ['firstTeacher', 'Wang'],
      ['firstBook', 'Journey'],
      ['我家小狗叫什么', '豆豆'],
    ],
    undefined,
  ],
  [
    [
      ['firstTeacher', 'Wang'],
      ['firstTeacher', 'Li'],
      ['firstBook', 'Hong'],
    ],
    ['1.question'],
  ],
  [
    [
      ['firstTeacher', 'Wang'],
      ['firstBook', ' wang '],
      ['favouriteDish', '面条'],
    ],
    ['1.answer'],
  ],
  [
    [
      ['firstTeacher', '王'],
      ['firstBook', '...'],
      ['favouriteDish', '面条'],
    ],
    ['0.answer', '1.answer'],
  ],
  [
    [
      ['What is Rex?', 'Rex'],
      ['a b c', 'xyz'],
      ['favouriteDish', '面条'],
    ],
    ['0.answer', '1.question'],
  ],
] as const)('the questions %j have issues at %o', (questions, fields) => {
  const issues = questionIssues(questions.map(([question, answer]) => ({ question, answer })))
  expect(issues && Object.keys(issues)).toEqual(fields?.map((field) => `questions.${field}`))
})
