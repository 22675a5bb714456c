import { aggregation } from '@atrium/contract/services/aggregation'
import { expect, test } from 'vitest'
import { testApp } from '../../../../test/test-app.ts'

test('a theme lists the services the caller may use, and is not found outside its audience', async () => {
  const { as, visitor } = await testApp()
  const student = await as('student')
  const themes = (await student(aggregation.list)).data
  const graduation = themes.find(({ code }) => code === 'graduation')
  const finance = themes.find(({ code }) => code === 'finance')
  expect(graduation?.count).toBeGreaterThan(3)
  const read = await student(aggregation.read, { query: { id: finance?.id } })
  const names = read.data.services.map((service) => service.serviceName)
  expect(names).toContain('学费缴纳')
  expect(names).not.toContain('工资查询')
  expect(names).toHaveLength(finance?.count as number)

  // Students only: for others it looks like a missing one.
  const teacher = await as('teacher')
  for (const [caller, id] of [
    [teacher, graduation?.id],
    [visitor, graduation?.id],
    [student, '9999'],
  ] as const)
    expect(await caller(aggregation.read, { query: { id } })).toMatchObject({
      status: 404,
      error: 'service.aggregation_not_found',
    })
  expect((await visitor(aggregation.list)).data.map(({ code }) => code)).toEqual([
    'arrival',
    'visit',
  ])
})
