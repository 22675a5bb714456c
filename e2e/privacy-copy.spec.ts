import { confirmPassword } from './session.ts'
import { expect, test } from './test.ts'

test.use({ as: 'staff' })

test('a member requests a copy of their data and downloads it', async ({ page, baseURL }) => {
  // The job runs once a minute.
  test.setTimeout(180_000)
  await confirmPassword(baseURL ?? '', 'staff')
  await page.goto('/pages/privacy/privacy')
  await page.getByRole('button', { name: '申请导出' }).click()
  await expect(page.getByText('正在准备文件')).toBeVisible()
  const download = page.getByRole('button', { name: '下载' })
  await expect(download).toBeVisible({ timeout: 150_000 })
  const arrives = page.waitForEvent('download')
  await download.click()
  expect((await arrives).suggestedFilename()).toBe('personal-data.zip')
})
