import { expect, test } from 'vitest'
import { anchorOf, findPassage } from './passage.ts'

const text = '图书馆即日起延长开放至 23 时。周末也延长开放至 22 时，请携带校园卡。'
const anchor = (quote: string, nth = 0) => {
  let from = text.indexOf(quote)
  for (let skip = 0; skip < nth; skip++) from = text.indexOf(quote, from + 1)
  return anchorOf(text, from, from + quote.length)
}
const found = (now: string, quote: string, nth = 0) => {
  const passage = findPassage(now, anchor(quote, nth))
  return passage && [now.slice(passage.from, passage.to), passage.changed]
}

test.each<[string, string, string, number, unknown]>([
  ['finds an unchanged passage', text, '23 时', 0, ['23 时', false]],
  ['finds a moved passage', `各位同学：\n${text}`, '周末也延长', 0, ['周末也延长', false]],
  [
    'finds a passage whose text changed and marks it as changed',
    text.replace('23 时', '晚上十一点'),
    '23 时',
    0,
    ['晚上十一点', true],
  ],
  ['does not find a passage deleted with its context', '图书馆闭馆。', '23 时', 0, undefined],
  [
    'does not find a deleted passage',
    text.replace('请携带校园卡', ''),
    '请携带校园卡',
    0,
    undefined,
  ],
])('%s', (_, now, quote, nth, expected) => {
  expect(found(now, quote, nth)).toEqual(expected)
})

test('among equal quotes finds the one with the same context', () => {
  const second = text.indexOf('延长', text.indexOf('延长') + 1)
  expect(findPassage(text, anchor('延长', 1))?.from).toBe(second)
  expect(findPassage(text.replace('图书馆', ''), anchor('延长', 1))?.from).toBe(second - 3)
})

test('does not find a passage for an empty quote', () => {
  expect(findPassage(text, { quote: '', prefix: '', suffix: '' })).toBeUndefined()
})
