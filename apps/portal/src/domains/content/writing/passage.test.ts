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
  ['where it was', text, '23 时', 0, ['23 时', false]],
  ['moved', `各位同学：\n${text}`, '周末也延长', 0, ['周末也延长', false]],
  ['changed within', text.replace('23 时', '晚上十一点'), '23 时', 0, ['晚上十一点', true]],
  ['gone with its surroundings', '图书馆闭馆。', '23 时', 0, undefined],
  ['deleted', text.replace('请携带校园卡', ''), '请携带校园卡', 0, undefined],
])('a passage that is %s', (_, now, quote, nth, expected) => {
  expect(found(now, quote, nth)).toEqual(expected)
})

test('of the same words those between the same others', () => {
  const second = text.indexOf('延长', text.indexOf('延长') + 1)
  expect(findPassage(text, anchor('延长', 1))?.from).toBe(second)
  expect(findPassage(text.replace('图书馆', ''), anchor('延长', 1))?.from).toBe(second - 3)
})

test('a text as a whole has no passage', () => {
  expect(findPassage(text, { quote: '', prefix: '', suffix: '' })).toBeUndefined()
})
