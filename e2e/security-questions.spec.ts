import type { Page } from '@playwright/test'
import {
  confirm,
  enableQuestions,
  field,
  giveCode,
  makeMember,
  numberOf,
  onPage,
  press,
  row,
  signIn,
  type Texts,
  texts,
} from './account-security.ts'
import { expect, test } from './test.ts'

// In one worker: each makes members, whose passwords are slow to hash by design.
test.describe.configure({ mode: 'default', timeout: 180_000 })

const overview = '/pagesA/safeSet/safeSet'

async function fillAnswers(page: Page, t: Texts, answers: string[]) {
  for (const [at, answer] of answers.entries())
    await page.getByRole('textbox', { name: t.answer, exact: true }).nth(at).fill(answer)
}

test.beforeAll(() => enableQuestions(process.env.ATRIUM_E2E_URL ?? ''))

for (const [name, t] of Object.entries(texts)) {
  const language = name as keyof typeof texts
  const username = `xuzhou${process.pid}${language}`

  test.describe(language, () => {
    test.use({ locale: language === 'zh' ? 'zh-CN' : 'en-US' })

    test('a member sets, answers, changes and removes security questions', async ({
      page,
      baseURL,
    }) => {
      const own = `${username}c`
      const contacts = { mobile: numberOf(language, 4), email: `${own}@example.edu` }
      await makeMember(own, contacts)
      await signIn(page, language, own)
      await page.goto('/pages/modifyPwd/safeQuestionSet')
      await confirm(page, t)
      await onPage(page, t.proveMobile)
      for (const [address, title] of [
        ['modifyPwd', t.changePassword],
        ['verfityPwd', t.confirm],
        ['newPhone', t.proveMobile],
        ['oldPhone', t.proveMobile],
        ['email', t.proveMobile],
        ['oldEmail', t.proveEmail],
        ['safeQuestionShow', t.questions],
        ['safeQuestionSet', t.proveMobile],
        ['modifyQuestion', t.proveMobile],
        ['oldQuestion', t.proveMobile],
        ['verfityQuestion', t.title],
        ['qPhone', t.proveMobile],
        ['qEmail', t.proveEmail],
      ] as const) {
        await page.goto(`/pages/modifyPwd/${address}`)
        await onPage(page, title)
      }

      await page.goto(overview)
      await row(page, t.questions).click()
      await expect(page.getByText(t.noQuestions)).toBeVisible()
      await row(page, t.setQuestions).click()
      await onPage(page, t.proveMobile)
      await giveCode(page, t, baseURL, contacts.mobile)
      await onPage(page, t.setQuestions)
      await page.getByRole('combobox', { name: t.question }).nth(2).selectOption(t.ownQuestion)
      await field(page, t.ownLabel).fill(t.own)
      await press(page, t.save)
      await expect(field(page, t.answer).first()).toHaveAttribute('aria-invalid', 'true')
      await fillAnswers(page, t, t.answers)
      await press(page, t.save)
      await expect(page.getByText(t.questionsSaved)).toBeVisible()
      await onPage(page, t.questions)
      await expect(page.getByText(t.own)).toBeVisible()

      await press(page, t.changeQuestions)
      await onPage(page, t.answerQuestions)
      const given = page.getByRole('main').getByRole('textbox')
      await expect(given).toHaveCount(3)
      for (const at of [0, 1, 2]) await given.nth(at).fill('nothing')
      await press(page, t.next)
      await expect(page.getByRole('alert')).toContainText(t.answersWrong)
      for (const [at, answer] of t.answers.entries()) await given.nth(at).fill(` ${answer} `)
      await press(page, t.next)
      await onPage(page, t.changeQuestions)
      await fillAnswers(page, t, t.otherAnswers)
      await press(page, t.save)
      await onPage(page, t.questions)

      // With questions set, another change asks for the answers first.
      await press(page, t.back)
      await onPage(page, t.title)
      await row(page, t.password).click()
      await onPage(page, t.answerQuestions)
      for (const [at, answer] of t.otherAnswers.entries()) await given.nth(at).fill(answer)
      await press(page, t.next)
      await onPage(page, t.changePassword)
      await press(page, t.back)
      await row(page, t.questions).click()
      await press(page, t.removeQuestions)
      await page
        .getByRole('dialog', { name: t.removeQuestions })
        .getByRole('button', { name: t.remove, exact: true })
        .click()
      await expect(page.getByText(t.questionsRemoved)).toBeVisible()
      await expect(page.getByText(t.noQuestions)).toBeVisible()

      await press(page, t.back)
      await row(page, t.mobile).click()
      await onPage(page, t.proveMobile)
      await page.getByRole('button', { name: t.byEmail }).click()
      await onPage(page, t.proveEmail)
      await giveCode(page, t, baseURL, contacts.email)
      await onPage(page, t.bindMobile)
      await press(page, t.removeMobile)
      await page
        .getByRole('dialog', { name: t.removeMobile })
        .getByRole('button', { name: t.remove, exact: true })
        .click()
      await expect(page.getByText(t.mobileRemoved)).toBeVisible()
      await onPage(page, t.title)
      await expect(row(page, t.mobile)).toContainText(t.notBound)
    })
  })
}
