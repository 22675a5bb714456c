import { newsConsole } from '@atrium/contract/content/editorial.operator'
import { operators } from '@atrium/contract/identity/operators.operator'
import { history } from '@atrium/contract/member/favourites'
import type { Page } from '@playwright/test'
import { axeViolations } from './axe.ts'
import { createMembers, openAs } from './members.ts'
import { idToken } from './session.ts'
import { expect, test } from './test.ts'

// One worker: setting the accounts' passwords again would end the sessions of concurrent tests.
test.describe.configure({ mode: 'default' })

const people = { scribe: '温以宁', proofer: '竺校言' }
const ownDepartment = 'O03'
const edit = '/pages/secondWork/gonggao/gonggaoSet'
const unique = () => Math.random().toString(36).slice(2, 8)

async function call(url: string, username: string, method: string, path: string, data?: object) {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      'x-id-token': await idToken(url, username),
      ...(data && { 'content-type': 'application/json' }),
    },
    ...(data && { body: JSON.stringify(data) }),
  })
  return { status: answer.status, ...((await answer.json()) as { data: never; error?: string }) }
}

let column = ''
test.beforeAll(async ({ baseURL }) => {
  const url = String(baseURL)
  await createMembers(url, people)
  for (const username of Object.keys(people))
    await call(url, 'admin', 'POST', operators.grant.path, {
      username,
      permission: 'content',
      organization: ownDepartment,
    })
  column = `写作 ${unique()}`
  await call(url, 'admin', 'POST', newsConsole.createColumn.path, {
    code: `writing-${unique()}`,
    name: column,
    nameEn: 'Writing',
    organization: ownDepartment,
    audience: [{ effect: 'include', kind: 'everybody', target: '' }],
  })
})

const text = (page: Page, name = '中文正文') => page.getByRole('textbox', { name })
const saved = (page: Page) => expect(page.getByText(/^已保存 /)).toBeVisible()
const idOf = async (page: Page) => {
  await expect(page).toHaveURL(/[?&]id=\d+/)
  return new URL(page.url()).searchParams.get('id') ?? ''
}
async function begin(page: Page, title: string) {
  await page.getByLabel('栏目', { exact: true }).selectOption({ label: column })
  await page.getByLabel('中文标题').fill(title)
}
/** Pastes as a program puts it on the clipboard. */
const paste = (page: Page, html: string) =>
  text(page).evaluate((element, given) => {
    const data = new DataTransfer()
    data.setData('text/html', given)
    data.setData('text/plain', 'x')
    element.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    )
  }, html)
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEUlEQVQImWNwKV+FFTEMLQkAxkZZQV4PmM4AAAAASUVORK5CYII=',
  'base64',
)

test('an article with a table, picture and formula is reviewed, corrected and published', async ({
  browser,
  baseURL,
}) => {
  const url = String(baseURL)
  const title = `本科生科研训练 ${unique()}`
  const page = await openAs(browser, url, 'scribe', `${edit}?kind=article`)
  await page.setViewportSize({ width: 1280, height: 900 })
  await begin(page, title)
  await text(page).click()
  await page.keyboard.type('今年共立项三十个课题，经费按公式计算：')
  await page.getByRole('button', { name: '公式', exact: true }).click()
  const formula = page.getByRole('dialog', { name: '公式' })
  await formula.getByLabel('公式（TeX）').fill('\\frac{a}{b')
  await expect(formula.getByText('无法识别这个公式，请检查括号和命令')).toBeVisible()
  await formula.getByLabel('公式（TeX）').fill('\\frac{a}{b}+x^2')
  expect(await axeViolations(page)).toEqual([])
  await formula.getByRole('button', { name: '插入' }).click()
  await expect(text(page).locator('math mfrac')).toBeVisible()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: '表格', exact: true }).click()
  await page.keyboard.type('学院')
  await page.keyboard.press('Tab')
  await page.keyboard.type('课题数')
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: '删除列' }).click()
  await expect(text(page).locator('table th')).toHaveCount(2)
  await text(page).locator('> p').last().click()
  await page.getByRole('button', { name: '图片', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '图片' })
  await dialog
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: '实验室.png', mimeType: 'image/png', buffer: picture })
  await expect(dialog.getByText('已上传')).toBeVisible()
  await dialog.getByLabel('图片说明（替代文字）').fill('学生在实验室')
  await dialog.getByRole('button', { name: '插入' }).click()
  await page.getByLabel('英文标题').fill('Undergraduate research')
  await text(page, '英文正文').click()
  await page.keyboard.type('Thirty projects were funded this year.')
  await saved(page)
  const id = await idOf(page)

  // The phone preview shows the text being written.
  const phone = page.getByRole('complementary', { name: '手机预览' })
  await expect(phone.getByText('Thirty projects were funded this year.')).toBeVisible()
  await page
    .getByRole('group', { name: '编辑的语言' })
    .getByRole('button', { name: '中文' })
    .click()
  await expect(phone.locator('math')).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: '提交审核' }).click()
  await expect(page.getByText('你参与了撰写，需要由其他人审核。')).toBeVisible()

  const reviewer = await openAs(browser, url, 'proofer', `${edit}?id=${id}&kind=article`)
  await expect(text(reviewer)).toHaveAttribute('contenteditable', 'false')
  await reviewer.getByRole('button', { name: '写意见' }).click()
  const about = reviewer.getByLabel('针对')
  const passage = await about.locator('option', { hasText: '三十个课题' }).textContent()
  await about.selectOption({ label: passage ?? '' })
  await reviewer.getByLabel('意见', { exact: true }).fill('请核对数字')
  await reviewer.getByRole('button', { name: '提交意见' }).click()
  await expect(text(reviewer).locator('mark.writing-remark').first()).toContainText('三十个课题')
  expect(await axeViolations(reviewer)).toEqual([])
  await reviewer.getByRole('button', { name: '退回' }).click()
  await reviewer.getByLabel('退回原因').fill('数字有误')
  await reviewer.getByRole('button', { name: '退回' }).click()
  await expect(reviewer.getByText('已退回', { exact: true }).first()).toBeVisible()

  await page.reload()
  await expect(page.getByText('请核对数字')).toBeVisible()
  await page.getByRole('button', { name: '回复：请核对数字' }).click()
  await page.getByLabel('回复内容').fill('已核对')
  await page.getByRole('button', { name: '发送回复' }).click()
  await text(page).locator('p').first().click()
  await page.keyboard.press('Home')
  await page.keyboard.type('学校公布：')
  await saved(page)
  await expect(page.getByText('这段文字已经删除')).toHaveCount(0)
  await page.getByRole('button', { name: '标为已处理：请核对数字' }).click()
  await expect(page.getByText(`${people.scribe}已处理`)).toBeVisible()
  await page.getByRole('button', { name: '提交审核' }).click()
  await expect(page.getByText('你参与了撰写，需要由其他人审核。')).toBeVisible()

  await reviewer.reload()
  await reviewer.getByRole('button', { name: '审核通过' }).click()
  await reviewer.getByRole('button', { name: '定时发布' }).click()
  await reviewer.getByLabel('发布时间').fill(`${new Date().getFullYear() + 1}-03-01T08:00`)
  await reviewer.getByRole('button', { name: '确定定时' }).click()
  await expect(reviewer.getByText(/^将于 .+ 发布$/)).toBeVisible()
  // Publish immediately instead of waiting a year for the schedule.
  await reviewer.getByRole('button', { name: '撤下' }).click()
  await expect(reviewer.getByText(/^将于 .+ 发布$/)).toHaveCount(0)
  await reviewer.getByRole('button', { name: '立即发布' }).click()
  await expect(reviewer.getByText('已发布', { exact: true }).first()).toBeVisible()

  const reader = await openAs(browser, url, 'student', `/pagesA/news/detail?id=${id}`)
  await reader.setViewportSize({ width: 320, height: 640 })
  await expect(reader.getByRole('heading', { name: title })).toBeVisible()
  await expect(reader.locator('.article math mfrac')).toBeVisible()
  await expect(reader.getByRole('button', { name: '学生在实验室' })).toBeVisible()
  await expect(reader.getByRole('columnheader', { name: '学院' })).toBeVisible()
  await expect(reader.getByText('请核对数字')).toHaveCount(0)
  expect(await reader.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  expect(await axeViolations(reader)).toEqual([])
})

test('content pasted from Word and WeChat is cleaned', async ({ browser, baseURL }) => {
  const page = await openAs(browser, String(baseURL), 'scribe', `${edit}?kind=article`)
  await begin(page, `粘贴 ${unique()}`)
  await text(page).click()
  await paste(page, word)
  const body = text(page)
  await expect(body.locator('h1')).toHaveText('实验室安全')
  await expect(body.locator('ul > li')).toHaveText(['佩戴护目镜关闭气源', '登记离开时间'])
  await expect(body.locator('ul ol > li')).toHaveText(['关闭气源'])
  await expect(body.locator('strong')).toHaveText('必须')
  await expect(body.locator('td, th')).toHaveText(['时间', '地点'])
  const html = await body.innerHTML()
  expect(html).not.toMatch(/mso-|MsoNormal|o:p|Calibri|file:|\[if/i)
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.press('Delete')
  await paste(page, weChat)
  await expect(body.locator('p')).toHaveText(['开学典礼今日举行。', '图为现场。'])
  await expect(body.locator('img')).toHaveAttribute('src', 'https://mmbiz.qpic.cn/mmbiz_jpg/x/640')
  expect(await body.innerHTML()).not.toMatch(/section|data-src|leaf|visibility|letter-spacing/)
  await expect(page.getByText('有 1 张图片在其他网站，读者只能看到链接。')).toBeVisible()
})

test('text is saved automatically, kept on the device offline, and can be restored', async ({
  browser,
  baseURL,
}) => {
  const url = String(baseURL)
  const page = await openAs(browser, url, 'scribe', `${edit}?kind=article`)
  await text(page).fill('没有标题的时候')
  await expect(page.getByText('已留在本机，填写标题后保存')).toBeVisible()
  await begin(page, `自动保存 ${unique()}`)
  await saved(page)
  const id = await idOf(page)
  await page.context().setOffline(true)
  await text(page).fill('断网以后写的')
  await expect(page.getByText('没有网络，已留在本机')).toBeVisible()
  await page.context().setOffline(false)
  await saved(page)
  const read = async () =>
    (await call(url, 'scribe', 'GET', `/console-api/news/articles/${id}`)).data as {
      text: { text: string }
      version: number
      revision: number
    }
  expect(await read()).toMatchObject({ version: 1, text: { text: '<p>断网以后写的</p>' } })

  // The device is switched off before the network returns: the text is still there.
  await page.route('**/console-api/news/articles/**', (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.continue(),
  )
  await text(page).fill('关机之前写的')
  await expect(page.getByText('没有网络，已留在本机')).toBeVisible()
  await page.unroute('**/console-api/news/articles/**')
  await page.reload()
  await expect(text(page)).toHaveText('关机之前写的')
  await saved(page)
  await expect.poll(async () => (await read()).text.text).toBe('<p>关机之前写的</p>')

  const now = await read()
  await call(url, 'proofer', 'PUT', `/console-api/news/articles/${id}`, {
    ...now.text,
    text: '<p>改坏了</p>',
    revision: now.revision,
  })
  await page.reload()
  await expect(text(page)).toHaveText('改坏了')
  await page.getByRole('button', { name: '第 1 版：恢复' }).click()
  await expect(text(page)).toHaveText('关机之前写的')
})

test('a concurrent edit opens a conflict dialog and keeps both texts as versions', async ({
  browser,
  baseURL,
}) => {
  const url = String(baseURL)
  const page = await openAs(browser, url, 'scribe', `${edit}?kind=article`)
  await begin(page, `两个人 ${unique()}`)
  await text(page).fill('第一个人写的')
  await saved(page)
  const id = await idOf(page)
  const other = await openAs(browser, url, 'proofer', `${edit}?id=${id}&kind=article`)
  await text(other).fill('第二个人写的')
  await saved(other)
  await text(page).fill('第一个人又写的')
  const dialog = page.getByRole('dialog', { name: '有人同时修改了这篇内容' })
  await expect(dialog.getByText(new RegExp(people.proofer))).toBeVisible()
  await expect(dialog.locator('ins').first()).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: '用对方的' }).click()
  await expect(text(page)).toHaveText('第二个人写的')
  const versions = await call(url, 'scribe', 'GET', `/console-api/news/articles/${id}/versions`)
  expect((versions.data as { number: number }[]).length).toBeGreaterThanOrEqual(4)
  // The viewer's own version is among them.
  const difference = await call(
    url,
    'scribe',
    'GET',
    `/console-api/news/articles/${id}/versions/3/difference`,
  )
  expect(JSON.stringify(difference.data)).toContain('一')
})

const word = `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word">
<head><meta name=Generator content="Microsoft Word 15"><style><!-- p.MsoNormal {mso-style-parent:""; font-family:"Calibri"} --></style>
<!--[if gte mso 9]><xml><w:WordDocument><w:View>Normal</w:View></w:WordDocument></xml><![endif]--></head><body lang=ZH-CN>
<!--StartFragment--><h1 style='mso-pagination:widow-orphan'><span lang=EN-US style='font-family:"Calibri",sans-serif'>实验室安全<o:p></o:p></span></h1>
<p class=MsoNormal style='mso-margin-top-alt:auto'><span style='font-family:宋体;mso-ascii-font-family:Calibri'>进入实验室<span style='font-weight:bold'>必须</span>登记。<o:p>&nbsp;</o:p></span></p>
<p class=MsoListParagraph style='margin-left:21.0pt;text-indent:-21.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span lang=EN-US style='font-family:Wingdings;mso-list:Ignore'>l<span style='font:7.0pt "Times New Roman"'>&nbsp; </span></span><![endif]>佩戴护目镜<span lang=EN-US><o:p></o:p></span></p>
<p class=MsoListParagraph style='margin-left:42.0pt;mso-list:l0 level2 lfo1'><![if !supportLists]><span lang=EN-US style='mso-list:Ignore'>1)<span style='font:7.0pt "Times New Roman"'>&nbsp; </span></span><![endif]>关闭气源</p>
<p class=MsoListParagraph style='margin-left:21.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span lang=EN-US style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp; </span></span><![endif]>登记离开时间</p>
<p class=MsoNormal><o:p>&nbsp;</o:p></p>
<table class=MsoTableGrid border=1 style='border-collapse:collapse;mso-yfti-tbllook:1184'><tr style='mso-yfti-irow:0'><td width=277 style='width:207pt'><p class=MsoNormal>时间<o:p></o:p></p></td><td><p class=MsoNormal>地点</p></td></tr></table>
<p class=MsoNormal><!--[if gte vml 1]><v:shape id="x"><v:imagedata src="file:///C:/x.png"/></v:shape><![endif]--><![if !vml]><img width=10 src="file:///C:/Users/x/clip_image001.png"><![endif]></p>
<!--EndFragment--></body></html>`

const weChat = `<section data-role="outer" style="letter-spacing: 1px; visibility: visible;"><section style="display:inline-block"><section><section style="margin: 0"><span leaf="" style="font-size: 15px; letter-spacing: 2px;">开学典礼<span textstyle="" style="font-size:15px">今日举行。</span></span></section></section></section><section style="text-align:center"><img class="rich_pages wxw-img" data-src="https://mmbiz.qpic.cn/mmbiz_jpg/x/640" data-ratio="0.66" style="visibility: hidden !important" src="data:image/svg+xml,x"></section><p style="visibility: visible;"><span leaf="">图为现场。</span></p><section><span leaf=""><br></span></section><mp-common-profile data-id="x"></mp-common-profile></section>`

test('pictures of other sites are copied on request, and failures are reported', async ({
  browser,
  baseURL,
}) => {
  const page = await openAs(browser, baseURL ?? '', 'scribe', edit)
  await begin(page, '转载的文章')
  const [there, gone] = ['https://elsewhere.example/a.png', 'https://elsewhere.example/gone.png']
  await paste(page, `<p>前</p><img src="${there}" alt="桥"><p>后</p><img src="${gone}" alt="塔">`)
  const notice = page.getByText('有 2 张图片在其他网站')
  await expect(notice).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  // No test fetches from the web: copying is tested on the server only.
  await page.route(`**${newsConsole.copyPictures.path}`, (route) => {
    expect(route.request().postDataJSON()).toEqual({ addresses: [there, gone] })
    return route.fulfill({
      json: {
        code: 0,
        message: '',
        data: [
          { address: there, url: '/icon.svg' },
          { address: gone, url: null },
        ],
      },
    })
  })
  await saved(page)
  await page.getByRole('button', { name: '存到本站' }).click()
  await expect(page.getByText('有 1 张图片取不到，请下载后上传')).toBeVisible()
  await expect(page.getByText('有 1 张图片在其他网站')).toBeVisible()
  await expect(text(page).getByRole('img', { name: '桥' })).toHaveAttribute('src', '/icon.svg')
  await text(page).press('Control+z')
  await expect(notice).toBeVisible()
})

test('a keyboard chooses the style of a paragraph and stays in the list until Enter', async ({
  browser,
  baseURL,
}) => {
  const page = await openAs(browser, baseURL ?? '', 'scribe', `${edit}?kind=article`)
  await begin(page, `按键选样式 ${unique()}`)
  await text(page).click()
  await page.keyboard.type('一段文字')
  const style = page.getByRole('combobox', { name: '段落样式' })
  await style.press('ArrowDown')
  await expect(style).toHaveValue('1')
  await expect(style).toBeFocused()
  await style.press('ArrowDown')
  await expect(style).toHaveValue('2')
  await expect(style).toBeFocused()
  await style.press('Enter')
  await expect(text(page)).toBeFocused()
  await expect(text(page).locator('h1, h2, h3')).toHaveText('一段文字')
})

test('typing during a failing first save creates the article only once', async ({
  browser,
  baseURL,
}) => {
  const page = await openAs(browser, String(baseURL), 'scribe', `${edit}?kind=article`)
  let attempts = 0
  let fail = () => {}
  const failing = new Promise<void>((resolve) => {
    fail = resolve
  })
  await page.route(`**${newsConsole.create.path}`, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    attempts += 1
    if (attempts > 1) return route.continue()
    await failing
    return route.abort()
  })
  await begin(page, `慢网络 ${unique()}`)
  await expect.poll(() => attempts).toBe(1)
  for (const words of ['一', '一二', '一二三']) {
    await text(page).fill(words)
    // Longer than the pause after which a text is saved.
    await page.waitForTimeout(1400)
  }
  fail()
  await saved(page)
  await idOf(page)
  expect(attempts).toBe(2)
})

test('unsent text survives the crash of another page', async ({ browser, baseURL }) => {
  const page = await openAs(browser, String(baseURL), 'scribe', `${edit}?kind=article`)
  await begin(page, `崩溃之后 ${unique()}`)
  await saved(page)
  const id = await idOf(page)
  await page.route('**/console-api/news/articles/**', (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.continue(),
  )
  await text(page).fill('还没有送出的')
  await expect(page.getByText('没有网络，已留在本机')).toBeVisible()
  await page.route(`**${history.list.path}*`, (route) =>
    route.fulfill({ json: { code: 0, message: '', data: {} } }),
  )
  await page.goto('/pagesA/newsHistory/newsHistory')
  await expect(page.getByText(/^问题编号/)).toBeVisible()
  await page.goto(`${edit}?id=${id}&kind=article`)
  await expect(text(page)).toHaveText('还没有送出的')
})

test('removing a stored attachment makes room for another one', async ({ browser, baseURL }) => {
  const url = String(baseURL)
  const page = await openAs(browser, url, 'scribe', `${edit}?kind=article`)
  await begin(page, `附件 ${unique()}`)
  await saved(page)
  const id = await idOf(page)
  const field = page.getByRole('region', { name: '附件' })
  await field
    .locator('input[type=file]')
    .setInputFiles({ name: '名单.csv', mimeType: '', buffer: Buffer.from('姓名\n林知夏\n') })
  await expect(field).toContainText('1/20')
  const attached = async () => {
    const { data } = await call(url, 'scribe', 'GET', `/console-api/news/articles/${id}`)
    return (data as { text: { attachments: object[] } }).text.attachments.length
  }
  await expect.poll(attached).toBe(1)
  await page.reload()
  await expect(field).toContainText('0/19')
  await page.getByRole('button', { name: '移除 名单.csv' }).click()
  await expect(field).toContainText('0/20')
  await expect.poll(attached).toBe(0)
})

test('saving a column does not undo a move made meanwhile', async ({ browser, baseURL }) => {
  const url = String(baseURL)
  const names = [`先 ${unique()}`, `后 ${unique()}`] as const
  for (const [at, name] of names.entries())
    await call(url, 'admin', 'POST', newsConsole.createColumn.path, {
      code: `moved-${unique()}`,
      name,
      organization: ownDepartment,
      audience: [{ effect: 'include', kind: 'everybody', target: '' }],
      position: 9000 + at,
    })
  const page = await openAs(browser, url, 'scribe', '/pages/secondWork/columnSet')
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByRole('link', { name: names[1] }).click()
  await page.getByLabel('英文名称').fill('Second')
  await page.getByRole('button', { name: `上移“${names[1]}”` }).click()
  await expect(page.getByText('已调整顺序')).toBeVisible()
  const ordered = async () => {
    const { data } = await call(url, 'scribe', 'GET', newsConsole.columns.path)
    const listed = (data as { name: string }[]).map(({ name }) => name)
    return listed.filter((name) => name === names[0] || name === names[1])
  }
  const moved = [names[1], names[0]]
  expect(await ordered()).toEqual(moved)
  const links = page.getByRole('link', { name: new RegExp(names.join('|')) })
  await expect(links.first()).toContainText(names[1])
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await expect(page.getByText('栏目已保存')).toBeVisible()
  expect(await ordered()).toEqual(moved)
})
