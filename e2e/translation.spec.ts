import type { Page } from '@playwright/test'
import { answers, marked, openTranslationServer } from '../apps/server/test/translation-server.ts'
import { axeViolations } from './axe.ts'
import { startServer } from './server.ts'
import { storedSession } from './session.ts'
import { expect, test } from './test.ts'

/** As an operator does on the settings screen. */
async function setMachine(page: Page, address: string) {
  await page.goto('/pages/secondWork/secondWorkIndex')
  await page.getByRole('link', { name: 'Machine translation' }).click()
  const place = page.getByLabel('Service address')
  await place.fill('somewhere')
  await page.getByRole('switch', { name: 'Turn on machine translation' }).check()
  await page.getByRole('button', { name: 'Save settings' }).click()
  await expect(place).toHaveAttribute('aria-invalid', 'true')
  await place.fill(address)
  await page.getByLabel('Longest wait (seconds)').fill('2')
  await page.getByRole('switch', { name: 'News and announcements' }).check()
  await page.getByRole('switch', { name: /Messages/ }).uncheck()
  await page.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByText('Settings saved')).toBeVisible()
  await expect(page.getByText('On · 0 characters translated today')).toBeVisible()
  await page.getByRole('button', { name: 'Test the connection' }).click()
  await expect(
    page.getByRole('status').filter({ hasText: 'Connected. 你好 is translated as' }),
  ).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
}

test('an article in Chinese only is marked and translated by machine on request', async ({
  browser,
}) => {
  const machine = await openTranslationServer()
  const server = await startServer([Number(new URL(machine.address).port)])
  const { url } = server
  try {
    const context = await browser.newContext({
      storageState: await storedSession(url, 'student', { language: 'en' }),
      baseURL: url,
    })
    const page = await context.newPage()
    const open = async () => {
      await page.goto('/pagesA/news/news')
      await page
        .getByRole('listitem')
        .filter({ hasText: 'In Chinese only' })
        .getByRole('link')
        .first()
        .click()
      await expect(page.getByRole('article')).toBeVisible()
    }
    const article = page.getByRole('article')
    const translate = page.getByRole('button', { name: 'Translate into English' })

    await open()
    await expect(article).toContainText('In Chinese only')
    await expect(article.locator('.rich-text')).toHaveAttribute('lang', 'zh-CN')
    await expect(translate).toHaveCount(0)

    const desk = await browser.newContext({
      storageState: await storedSession(url, 'admin', { language: 'en' }),
      baseURL: url,
    })
    await setMachine(await desk.newPage(), machine.address)

    await page.reload()
    machine.does((response) => answers(response, { error: 'busy' }, 500))
    await translate.click()
    await expect(article.getByRole('status')).toHaveText(
      'Machine translation is not available right now. Please try again later.',
    )

    machine.does(() => {})
    await translate.click()
    await expect(article.getByRole('status')).toHaveText(
      'Machine translation took too long. Please try again later.',
    )

    machine.does((response) => answers(response, { translatedText: ['<script>x</script>'] }))
    await translate.click()
    await expect(article.getByRole('status')).toHaveText(
      'The machine translation cannot be used. Please read the original.',
    )

    machine.does(marked)
    await translate.press('Enter')
    await expect(article).toContainText('Machine translation by 127.0.0.1')
    await expect(article.locator('.rich-text')).toContainText('Translated, ')
    await expect(article.locator('.rich-text')).not.toHaveAttribute('lang')
    expect(await axeViolations(page)).toEqual([])

    await page.getByRole('button', { name: 'Show original' }).click()
    await expect(article.locator('.rich-text')).toHaveAttribute('lang', 'zh-CN')
    await page.getByRole('button', { name: 'Show translation' }).click()
    await expect(article.locator('.rich-text')).toContainText('Translated, ')
  } finally {
    await server.stop()
    await machine.close()
  }
})
