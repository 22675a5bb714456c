import { beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp, viewerOf } from '../../../../test/test-app.ts'
import { searchBest } from './find.ts'
import { editDistance, fitOf } from './ranking.ts'
import cases from './ranking-cases.json' with { type: 'json' }

const rankDepth = 5
const minAverage = 0.85

/** Normalised discounted cumulative gain of the first five; all expected results have equal gain. */
function ndcg(found: readonly string[], expected: readonly string[]) {
  const gain = (at: number) => 1 / Math.log2(at + 2)
  const sum = (count: number) =>
    Array.from({ length: count }, (_, at) => gain(at)).reduce((a, b) => a + b, 0)
  const own = found
    .slice(0, rankDepth)
    .map((one, at) => (expected.includes(one) ? gain(at) : 0))
    .reduce((a, b) => a + b, 0)
  return own / sum(Math.min(expected.length, rankDepth))
}

test('nDCG is 1 for the best order, lower otherwise, and 0 without results', () => {
  expect(ndcg(['a', 'b', 'c'], ['a', 'b'])).toBe(1)
  expect(ndcg(['c', 'a'], ['a'])).toBeCloseTo(0.63, 2)
  expect(ndcg([], ['a'])).toBe(0)
})

describe('ranking of the test queries', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await testApp()
  })

  test(`has an average nDCG above ${minAverage}, and every query finds an expected result`, async () => {
    const lines: { query: string; value: number; found: string[] }[] = []
    for (const { query, viewer, first } of cases) {
      const results = await searchBest(app.platform, await viewerOf(app, viewer), query, rankDepth)
      const found = results.map(({ kind, title }) => `${kind}:${title}`)
      lines.push({ query, value: ndcg(found, first), found })
    }
    const average = lines.reduce((sum, { value }) => sum + value, 0) / lines.length
    for (const { query, value, found } of lines.filter(({ value }) => value < 1))
      console.info(`nDCG@5 ${value.toFixed(2)} ${query}: ${found.join(', ')}`)
    console.info(`nDCG@5 of ${lines.length} cases: ${average.toFixed(3)}`)
    expect(lines.filter(({ value }) => value === 0).map(({ query }) => query)).toEqual([])
    expect(average).toBeGreaterThan(minAverage)
  })
})

const queryOf = (text: string, words = text.split(' ')) => ({ text, words, variants: [] })

test.each([
  ['成绩', '成绩查询', '成绩录入办法'],
  ['成绩', '成绩查询', '我的成绩单'],
  ['tushuguan', '图书馆', '图书馆东楼'],
  ['tsg', '图书馆', '体育馆'],
  ['library', 'Library', 'Main Library'],
])('for %s, %s ranks before %s', (text, first, second) => {
  const fitOfTitle = (title: string) => fitOf(queryOf(text), { id: title, title })
  expect(fitOfTitle(first)).toBeGreaterThan(fitOfTitle(second))
  expect(fitOfTitle(first)).toBeLessThanOrEqual(1)
})

test('texts that share nothing with the query do not match', () => {
  expect(fitOf(queryOf('天气'), { id: '1', title: '图书馆', text: '借书还书' })).toBe(0)
  expect(fitOf(queryOf('zzzz'), { id: '1', title: '图书馆' })).toBe(0)
})

test.each([
  ['tushuguan', 'tusuguan', 1],
  ['library', 'libary', 1],
  ['library', 'lirbary', 1],
  ['abc', 'xyz', 3],
])('the edit distance of %s and %s is %i', (one, other, count) => {
  expect(editDistance(one, other, 2)).toBe(count > 2 ? 3 : count)
})
