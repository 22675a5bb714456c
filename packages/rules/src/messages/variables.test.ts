import { expect, test } from 'vitest'
import { substituteVariables, variablesIn, withKnownNames } from './variables.ts'

test.each([
  ['{{name}}，你好', { name: '王晓' }, {}, '王晓，你好'],
  ['{{ 地点 }} {{time}}', { 地点: '礼堂' }, {}, '礼堂 {{time}}'],
  ['<b>{{name}}</b>', { name: '<i>"&' }, { html: true }, '<b>&lt;i>&quot;&amp;</b>'],
  ['Dear {{name}}', { name: '王晓', 'name.en': 'Wang Xiao' }, { english: true }, 'Dear Wang Xiao'],
  ['Dear {{name}}', { name: '王晓' }, { english: true }, 'Dear 王晓'],
  // A value is not expanded again, and inherited object properties are not values.
  ['{{a}}', { a: '{{b}}', b: 'x' }, {}, '{{b}}'],
  ['{{toString}} {{}} {{a b}} {name}', { name: 'x' }, {}, '{{toString}} {{}} {{a b}} {name}'],
])('fills in “%s”', (text, values, options, filled) => {
  expect(substituteVariables(text, values as Record<string, string>, options)).toBe(filled)
})

test('variables are listed once, and Chinese names of member variables are normalised', () => {
  const text = withKnownNames('{{姓名}} {{ 学工号 }} {{名额}}')
  expect(text).toBe('{{name}} {{number}} {{名额}}')
  expect(variablesIn([text, '{{name}}'])).toEqual(['name', 'number', '名额'])
})
