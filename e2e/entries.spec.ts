import { startCampus } from './campus.ts'
import { crawl } from './crawl.ts'
import { withoutBackgroundRequests } from './quiet.ts'
import { isForOperators, screens } from './screens.ts'
import { idToken, storedSession } from './session.ts'
import { deadEnds } from './tappable.ts'
import { expect, test } from './test.ts'

// One portal with its systems, shared by these tests.
test.describe.configure({ mode: 'default' })

let campus: Awaited<ReturnType<typeof startCampus>>
test.beforeAll(async () => {
  campus = await startCampus()
})
test.afterAll(() => campus?.stop())

/** Screens that nothing in the portal links to, and what opens them. */
const externalEntries: Record<string, string> = {
  '/pages/h5/index': 'the entry page by its other address',
  '/pages/openPage/openPage': 'the start, where an opening page is due',
  '/pages/fenliu/fenliu': 'the start, where there is a diversion page',
  '/pages/tab/index/clean': 'a host app that has tabs of its own',
  '/page/index/index': 'the central login, on the way back',
  '/msgCenter/pages/onlineSend/index': 'old links; the same page as tab/onlineSend/index',
  '/pages/fenliu/h5MiddlePage': 'the central login, on the way back',
  '/pages/login/signedOut': 'signing out',
  '/pages/login/accountLogin': 'old links; the same page as pwdLogin',
  '/pages/login/changAccount': 'old links; the same page as set/changeAccount',
  '/pages/login/bindAccount': 'an outside login whose account is not known here',
  '/pages/service/serviceShare': 'a shared link',
  '/pagesA/news/midTrans': 'a shared link',
  '/pagesA/news/detail_dz': 'old links; the same page as news/detail',
  '/pages/scanCode/plainText': 'a scanned code',
  '/pages/login/scanConfirm': 'the code on the screen of a computer that signs in',
  '/pages/webview/tab-webview-1': 'a web page that an operator put in the place of the tab',
  '/pages/webview/tab-webview-2': 'a web page that an operator put in the place of the tab',
  '/pages/webview/tab-webview-3': 'a web page that an operator put in the place of the tab',
  '/pages/webview/tab-webview-4': 'a web page that an operator put in the place of the tab',
  '/pages/webview/tab-webview-5': 'a web page that an operator put in the place of the tab',
  '/addressBook/addressList': 'the service whose address ends in it, as a web page',
  '/addressBook/person': 'a page of the address book',
  '/addressBook/group': 'a page of the address book',
  '/pages/webview/schedule-webview': 'the tab bar in a mini-program',
  '/pages/webview/plus-webview': 'links in a host app or a mini-program',
  '/pages/webview/news-webview': 'the setting newsRoute',
  '/pages/webview/newtask-webview': 'the setting newtaskRoute',
  '/pages/robot/AI': 'home, with the setting ENV_ALIYUN',
  '/pages/robot/deskDialog': 'a dialog that waits at a desk',
  '/study-center/pages/studyCenter/assignment': 'work of a course that one teaches',
  '/pages/robot/question': 'an answer of the robot, or of the search',
  '/pages/service/serviceGuide': 'the server, before a service that has a guide',
  '/pages/service/newGuide': 'the server, before a service that has a guide',
  '/pages/modifyPwd/verfityPwd': 'a change in account security, some time after signing in',
  '/pages/modifyPwd/oldPhone': 'account security, within minutes of signing in',
  '/pages/modifyPwd/oldEmail': 'account security, within minutes of signing in',
  '/pages/shedul/schedulRepeat': 'the form of an event that repeats',
  '/pages/secondWork/schedule/personDetail': 'old links; the same page as its shedulDetail',
  '/pages/shedul/checkIn': 'an event that one made or is invited to',
  '/pages/shedul/personDetail': 'old links; the same page as shedulDetail',
  '/msgCenter/pages/schedule/taskAddSchedule': 'old links; the same page as taskAddShedul',
  '/pages/modifyPwd/safeQuestionShow': 'the setting securityQuestions',
  '/pages/modifyPwd/safeQuestionSet': 'the setting securityQuestions',
  '/pages/modifyPwd/modifyQuestion': 'the setting securityQuestions',
  '/pages/modifyPwd/oldQuestion': 'the setting securityQuestions',
  '/pages/modifyPwd/verfityQuestion': 'the setting securityQuestions',
  '/pages/modifyPwd/qPhone': 'the setting securityQuestions',
  '/pages/modifyPwd/qEmail': 'the setting securityQuestions',
}

/** Screens open to visitors but reachable only from members' pages. */
const membersOnly: Record<string, string> = {
  '/pages/newsInfo/newsInfo': 'columns that one subscribes to',
  '/pages/msgCenterTab/news/news': 'columns that one subscribes to',
  '/pagesA/news/video': 'a file of one’s own',
  '/choose-location': 'an event or feedback of one’s own',
}

/** Texts read before signing in; members find them elsewhere. */
const visitorsOnly: Record<string, string> = {
  '/pages/login/userAgreement': 'the texts below a sign-in',
  '/pages/login/userPrivacy': 'the texts below a sign-in',
}

/** Screens that need data which only the demo's student has. */
const studentOnly: Record<string, string> = {
  '/pagesA/news/video': 'a file of one’s own',
  '/msgCenter/pages/task/handleRecord': 'a task with a long record',
}

/** Screens that need a course attended or given. */
const inCourses: Record<string, string> = {
  '/study-center/pages/studyCenter/teachingCourse': 'a course of one’s own',
}

/** Screens that need data which only the teacher has. */
const teacherOnly: Record<string, string> = {
  '/pages/myInfo/research': 'projects and papers of one’s own',
}

/** Signed-in members are not led to sign-in screens. */
const signInAreas = ['login', 'passwordless', 'federation']

const accounts = [undefined, 'student', 'teacher', 'staff', 'admin'] as const

function isReachable(path: string, account: (typeof accounts)[number]) {
  const screen = screens[path]
  if (!screen) return false
  const { access, area } = screen
  if (externalEntries[path]) return false
  if (!account) return access !== 'member' && !membersOnly[path]
  if (visitorsOnly[path]) return false
  if (studentOnly[path] && account !== 'student') return false
  if (teacherOnly[path] && account !== 'teacher') return false
  if (inCourses[path] && account !== 'student' && account !== 'teacher') return false
  if (path === '/pages/set/changeAccount') return true
  return !signInAreas.includes(area) && (!isForOperators(path, screen) || account === 'admin')
}

test('the lists of entry points contain existing screens only', () => {
  for (const path of [
    ...Object.keys(externalEntries),
    ...Object.keys(membersOnly),
    ...Object.keys(studentOnly),
    ...Object.keys(inCourses),
    ...Object.keys(teacherOnly),
    ...Object.keys(visitorsOnly),
  ])
    expect(Object.keys(screens)).toContain(path)
})

for (const account of accounts)
  test(`every screen is reachable and every link works, for ${account ?? 'a visitor'}`, async ({
    browser,
    request,
  }) => {
    // Some hundred pages in sequence.
    test.setTimeout(900_000)
    const { url } = campus
    const token = account && (await idToken(url, account))
    const context = await browser.newContext({
      baseURL: url,
      storageState: await storedSession(url, account, { language: 'zh' }),
    })
    await withoutBackgroundRequests(context)
    const page = await context.newPage()
    const { reached, elsewhere, faults } = await crawl(page, url, { opens: true })
    const missing = Object.keys(screens).filter(
      (path) => isReachable(path, account) && !reached.has(path),
    )
    expect.soft(faults, 'what is tapped shows what it promises').toEqual([])
    expect
      .soft(missing, 'a page of the portal leads there, or e2e/entries.spec.ts says what does')
      .toEqual([])
    const deadLinks = await deadEnds(request, campus, elsewhere, token)
    expect(deadLinks, 'what leads out of the portal is there').toEqual([])
    await context.close()
  })
