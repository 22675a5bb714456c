import { beforeEach, expect, test, vi } from 'vitest'

const weChat = 'Mozilla/5.0 (iPhone) MicroMessenger/8.0.76(0x18004c24) NetType/WIFI'

beforeEach(() => {
  vi.resetModules()
  vi.stubGlobal('window', {})
  vi.stubGlobal('addEventListener', () => {})
})
async function check(userAgent: string) {
  vi.stubGlobal('navigator', { userAgent, languages: ['zh'], maxTouchPoints: 5 })
  vi.stubGlobal('document', { documentElement: {} })
  const { inMiniProgram } = await import('./wechat.ts')
  return inMiniProgram()
}

// Compile the module once up front: on a busy machine that may take longer than a test's timeout.
vi.stubGlobal('window', {})
vi.stubGlobal('addEventListener', () => {})
await check('').catch(() => {})

test('the mini-program check rejects outside WeChat', async () => {
  await expect(check('Mozilla/5.0 (iPhone) Safari/604.1')).rejects.toThrow('not WeChat')
  await expect(check('Mozilla/5.0 wxwork/4.1 MicroMessenger/7.0.1')).rejects.toThrow('not WeChat')
})

test('a mini-program is detected by its user agent alone', async () => {
  expect(await check(`${weChat} miniProgram/wx0123456789abcdef`)).toBe(true)
})

test('an old mini-program is detected by its global variable, and the check times out after 1.5 s', async () => {
  vi.stubGlobal('__wxjs_environment', 'miniprogram')
  expect(await check(weChat)).toBe(true)
  vi.stubGlobal('__wxjs_environment', undefined)
  vi.useFakeTimers()
  vi.stubGlobal('document', {})
  const silent = inSilence(weChat)
  await vi.advanceTimersByTimeAsync(1500)
  await expect(silent).resolves.toBe('timeout')
  vi.useRealTimers()
})

/** A WeChat in which the SDK script never loads. */
async function inSilence(userAgent: string) {
  vi.stubGlobal('navigator', { userAgent, languages: ['zh'], maxTouchPoints: 5 })
  vi.stubGlobal('document', {
    documentElement: {},
    head: { append: () => {} },
    createElement: () => ({}),
    addEventListener: () => {},
  })
  const { inMiniProgram } = await import('./wechat.ts')
  return inMiniProgram().catch((error) => error.reason)
}

test('the address of first entry is signed on iOS, the current address on Android', async () => {
  const wx = {
    config: vi.fn(),
    ready: (then: () => void) => then(),
    error: () => {},
    scanQRCode: ({ success }: { success: (result: object) => void }) =>
      success({ resultStr: 'EAN_13,9787111544937' }),
  }
  const signed = async (userAgent: string) => {
    vi.resetModules()
    const requests: string[] = []
    vi.stubGlobal('navigator', { userAgent, languages: ['zh'], maxTouchPoints: 5 })
    vi.stubGlobal('window', { wx })
    vi.stubGlobal('document', {
      documentElement: {},
      head: { append: (script: { onload: () => void }) => script.onload() },
      createElement: () => ({}),
    })
    vi.stubGlobal('location', { href: 'https://m.example.edu.cn/first?a=1#x' })
    vi.stubGlobal('fetch', async (address: string) => {
      requests.push(new URL(address, 'https://m.example.edu.cn').searchParams.get('url') ?? '')
      return Response.json({
        code: 0,
        data: { appid: 'wx1', timestamp: 1, nonceStr: 'n', signature: 's' },
      })
    })
    const { scan } = await import('./wechat.ts')
    vi.stubGlobal('location', { href: 'https://m.example.edu.cn/later#y' })
    expect(await scan()).toEqual({ text: '9787111544937' })
    return requests
  }
  expect(await signed(weChat)).toEqual(['https://m.example.edu.cn/first?a=1'])
  expect(await signed(weChat.replace('iPhone', 'Linux; Android 14'))).toEqual([
    'https://m.example.edu.cn/later',
  ])
  expect(wx.config).toHaveBeenLastCalledWith(
    expect.objectContaining({ appId: 'wx1', nonceStr: 'n' }),
  )
})

type Card = Record<'title' | 'link' | 'imgUrl', string> & { desc?: string } & {
  success: () => void
  fail: (error: object) => void
}

test('share data is set for friends, then for Moments, and rejects in an old WeChat', async () => {
  const said: [string, Record<string, unknown>][] = []
  const take =
    (name: string, fails = false) =>
    ({ success, fail, title, desc, link, imgUrl }: Card) => {
      said.push([name, { title, link, imgUrl, ...(desc !== undefined && { desc }) }])
      if (fails) fail({ errMsg: `${name}:fail` })
      else success()
    }
  const config = vi.fn()
  const offered = async (fails: boolean) => {
    vi.resetModules()
    const wx = {
      config,
      ready: (then: () => void) => then(),
      error: () => {},
      updateAppMessageShareData: take('friend', fails),
      updateTimelineShareData: take('moments'),
    }
    vi.stubGlobal('navigator', { userAgent: weChat, languages: ['zh'], maxTouchPoints: 5 })
    vi.stubGlobal('window', { wx })
    vi.stubGlobal('document', {
      documentElement: {},
      head: { append: (script: { onload: () => void }) => script.onload() },
      createElement: () => ({}),
    })
    vi.stubGlobal('location', { href: 'https://m.example.edu.cn/first' })
    vi.stubGlobal('fetch', async () =>
      Response.json({
        code: 0,
        data: { appid: 'wx1', timestamp: 1, nonceStr: 'n', signature: 's' },
      }),
    )
    const { offerToShare } = await import('./wechat.ts')
    return offerToShare({ title: '校历', text: '各学期', url: 'https://m.example.edu.cn/x' })
  }
  expect(await offered(false)).toBe(true)
  const card = { title: '校历', link: 'https://m.example.edu.cn/x', imgUrl: '' }
  expect(said).toEqual([
    ['friend', { ...card, desc: '各学期' }],
    ['moments', card],
  ])
  expect(config).toHaveBeenCalledWith(
    expect.objectContaining({
      jsApiList: expect.arrayContaining(['updateAppMessageShareData', 'updateTimelineShareData']),
    }),
  )
  // WeChat is too old: the page copies the address instead.
  await expect(offered(true)).rejects.toMatchObject({ reason: 'failed' })
})
