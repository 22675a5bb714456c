import { expect, test } from 'vitest'
import { type AddressContext, planAddress } from './address-plan.ts'

const origin = 'https://m.example.edu.cn'
const context: AddressContext = {
  origin,
  isScreen: (path) => ['/pagesA/news/news', '/msgCenter/pages/task/doneDetail'].includes(path),
  addressList: '',
  inContainer: false,
}
const screen = (href: string) => ({ open: 'screen', href })
const web = (url: string) => ({ open: 'web', url })
const own = (path: string) => web(origin + path)
const nothing = { open: 'nothing' }
const asWebPage = 'returnTarget=true&isHideTabbar=1'

test.each([
  // The five prefixes, with and without a slash; a screen that is not built yet shows its own notice.
  ['pagesA/news/news?columnCode=a', screen('/pagesA/news/news?columnCode=a')],
  ['/pages/not/built', screen('/pages/not/built')],
  [
    'study-center/pages/studyCenter/studyCenter',
    screen('/study-center/pages/studyCenter/studyCenter'),
  ],
  ['onlineSend/x', screen('/onlineSend/x')],
  ['  pages/about/about ', screen('/pages/about/about')],
  // Other screens of the map, and absolute addresses of our own origin.
  ['/msgCenter/pages/task/doneDetail?id=1', screen('/msgCenter/pages/task/doneDetail?id=1')],
  [`${origin}/pagesA/news/news`, screen('/pagesA/news/news')],
  ['https://M.example.edu.cn:443/pagesA/news/news', screen('/pagesA/news/news')],
  ['pages/../pagesA/news/news', screen('/pagesA/news/news')],
  // Always web pages.
  ['/pages/secondWork', own(`/pages/secondWork?${asWebPage}`)],
  ['pages/secondWork/news/news?a=1', own(`/pages/secondWork/news/news?a=1&${asWebPage}`)],
  ['/addressBook', own(`/addressBook?${asWebPage}`)],
  ['addressBook/addressList', own(`/addressBook/addressList?${asWebPage}`)],
  ['/pages/secondWorkshop', screen('/pages/secondWorkshop')],
  // Everything else is a web page.
  ['https://library.example.com/a?b=c', web('https://library.example.com/a?b=c')],
  ['http://10.0.0.1/', web('http://10.0.0.1/')],
  ['/files/12', own('/files/12')],
  // Other apps on the device.
  ['tel:+86-571-88200000', { open: 'device', url: 'tel:+86-571-88200000' }],
  ['mailto:help@example.edu', { open: 'device', url: 'mailto:help@example.edu' }],
  // Hostile addresses, resolved to where they really lead.
  ['//evil.com', web('https://evil.com/')],
  ['/\\evil.com', web('https://evil.com/')],
  ['/\t/evil.com', web('https://evil.com/')],
  ['https://m.example.edu.cn.evil.com/', web('https://m.example.edu.cn.evil.com/')],
  ['https://evil.com#@m.example.edu.cn', web('https://evil.com/#@m.example.edu.cn')],
  ['https://m.example.edu.cn@evil.com/', nothing],
  ['/pages/../..//evil.com/x', nothing],
  ['pages/..//evil.com', nothing],
  ['/pages/%2e%2e//evil.com', nothing],
  ['/pages/..\\\\evil.com', nothing],
  ['/pages/.\t.//evil.com', nothing],
  [`${origin}//evil.com`, nothing],
  ['/pages/../files/12', own('/files/12')],
  ['javascript:alert(1)', nothing],
  ['data:text/html,x', nothing],
  ['tel:1\nx', nothing],
  ['library', nothing],
  ['', nothing],
])('plans how to open %j', (address, plan) => {
  expect(planAddress(address, context)).toEqual(plan)
})

test('a link ending in addressList opens the address book, if one is configured', () => {
  const book = own(`/addressBook/addressList?${asWebPage}`)
  const on = { ...context, addressList: '1' }
  expect(planAddress('pages/anything/addressList', on)).toEqual(book)
  expect(planAddress('addressList', on)).toEqual(book)
  expect(planAddress('addressList', context)).toEqual(nothing)
  expect(planAddress('pages/anything/addressList', context)).toEqual(
    screen('/pages/anything/addressList'),
  )
})

test('a link ending in onlineSend opens the sending page as a web page', () => {
  const url = `${origin}/pages/tab/onlineSend/index?isHideReturnBtn=1&${asWebPage}`
  expect(planAddress('pages/x/onlineSend', context)).toEqual(web(url))
  expect(planAddress('onlineSend', { ...context, inContainer: true })).toEqual({
    open: 'web',
    url,
    inContainer: true,
  })
})
