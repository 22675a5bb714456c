import { startCampus } from './campus.ts'
import { crawl } from './crawl.ts'
import { withoutStream } from './quiet.ts'
import { idToken, storedSession } from './session.ts'
import { deadEnds } from './tappable.ts'
import { expect, test } from './test.ts'

// One portal with its systems for all of them.
test.describe.configure({ mode: 'default' })

let campus: Awaited<ReturnType<typeof startCampus>>
test.beforeAll(async () => {
  campus = await startCampus()
})
test.afterAll(() => campus?.stop())

for (const account of [undefined, 'student', 'teacher', 'staff', 'admin'] as const)
  test(`all that can be tapped ends well for ${account ?? 'a visitor'}`, async ({
    browser,
    request,
  }) => {
    // Some hundred pages, one after the other.
    test.setTimeout(900_000)
    const { url } = campus
    const token = account && (await idToken(url, account))
    const context = await browser.newContext({
      baseURL: url,
      storageState: await storedSession(url, account, { language: 'zh' }),
    })
    await withoutStream(context)
    const page = await context.newPage()
    const { elsewhere, faults } = await crawl(page, url, { opens: true })
    expect.soft(faults, 'what is tapped shows what it promises').toEqual([])
    const dead = await deadEnds(request, campus, elsewhere, token)
    expect(dead, 'what leads out of the portal is there').toEqual([])
    await context.close()
  })
