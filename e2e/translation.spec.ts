import { translationConsole } from '@atrium/contract/discovery/translation.operator'
import { answers, marked, openTranslationServer } from '../apps/server/test/translation-server.ts'
import { axeViolations } from './axe.ts'
import { startServer } from './server.ts'
import { idToken, storedSession } from './session.ts'
import { expect, test } from './test.ts'

test('an article in Chinese only is marked, and translated by a machine when one asks', async ({
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

    const set = await fetch(`${url}${translationConsole.update.path}`, {
      method: 'PUT',
      headers: { 'x-id-token': await idToken(url, 'admin'), 'content-type': 'application/json' },
      body: JSON.stringify({
        address: machine.address,
        enabled: true,
        kinds: ['article'],
        chinese: 'zh',
        maxCharacters: 20_000,
        dailyPerMember: 100_000,
        dailyCharacters: 1_000_000,
        seconds: 2,
      }),
    })
    expect(set.status).toBe(200)

    await page.reload()
    machine.does((response) => answers(response, { error: 'busy' }, 500))
    await translate.click()
    await expect(article.getByRole('status')).toHaveText(
      'Machine translation is not reachable. Please try again later.',
    )

    machine.does(() => {})
    await translate.click()
    await expect(article.getByRole('status')).toHaveText(
      'Machine translation took too long. Please try again later.',
    )

    machine.does((response) => answers(response, { translatedText: ['<script>x</script>'] }))
    await translate.click()
    await expect(article.getByRole('status')).toHaveText(
      'The machine’s translation cannot be used. Please read the original.',
    )

    machine.does(marked)
    await translate.press('Enter')
    await expect(article).toContainText('Translated by a machine at 127.0.0.1')
    await expect(article.locator('.rich-text')).toContainText('Translated, ')
    await expect(article.locator('.rich-text')).not.toHaveAttribute('lang')
    expect(await axeViolations(page)).toEqual([])

    await page.getByRole('button', { name: 'Show original' }).click()
    await expect(article.locator('.rich-text')).toHaveAttribute('lang', 'zh-CN')
    await page.getByRole('button', { name: 'Show translation' }).click()
    await expect(article.locator('.rich-text')).toContainText('Translated, ')
    if (process.env.LOOK) await page.screenshot({ path: process.env.LOOK, fullPage: true })
  } finally {
    await server.stop()
    await machine.close()
  }
})
