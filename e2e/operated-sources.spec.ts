import { axeViolations } from './axe.ts'
import { expect, test } from './test.ts'

test.use({ as: 'admin' })

test('a data source is tested with one member, and an invalid description is rejected', async ({
  page,
}) => {
  await page.goto('/pages/secondWork/secondWorkIndex')
  await page.getByRole('link', { name: '个人数据来源' }).click()
  const card = page.getByRole('link', { name: /一卡通/ })
  await expect(page.getByRole('link', { name: /校园邮箱/ })).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await card.click()
  await expect(page.getByRole('heading', { name: '运行情况' })).toBeVisible()
  const description = page.getByLabel('描述（JSON）')
  const written = await description.inputValue()
  await page.getByRole('button', { name: '测试查询' }).click()
  await expect(page.getByText('请填写一位成员的用户名')).toBeVisible()
  await page.getByLabel('测试用的成员').fill('nobody-of-this-name')
  await page.getByRole('button', { name: '测试查询' }).click()
  await expect(page.getByLabel('测试用的成员')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('测试用的成员').fill('student')
  await page.getByRole('button', { name: '测试查询' }).click()
  await expect(page.getByText(/查询成功，用时/)).toBeVisible()
  await expect(page.locator('pre').getByText('"balance":')).toBeVisible()
  expect(await axeViolations(page)).toEqual([])

  await description.fill('{ "way": ')
  await page.getByRole('button', { name: '保存接入描述' }).click()
  await expect(page.getByText('不是有效的 JSON')).toBeVisible()
  await description.fill(written.replace('/card"', '/elsewhere"'))
  await page.getByRole('button', { name: '测试查询' }).click()
  await expect(page.getByText(/系统里没有这位成员/)).toBeVisible()
  // Nothing of this was stored.
  await page.reload()
  await expect(description).toHaveValue(written)
})
