import { expect, test } from 'vitest'
import table from './user-agent.samples.json' with { type: 'json' }
import { detectDevice, detectEnvironment } from './user-agent.ts'

const sampleOf = (id: string) => table.samples.find((sample) => sample.id === id)?.ua ?? ''

test.each(table.samples.map((sample) => [sample.title, sample] as const))('%s', (_, sample) => {
  expect(detectEnvironment(sample.ua)).toEqual(sample.expected)
})

const mac =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15'

test('an iPad requesting desktop pages is a tablet, a Mac without a touchscreen is not', () => {
  expect(detectEnvironment(mac, 5)).toMatchObject({
    os: 'ios',
    isIOS: true,
    isMobile: true,
    isTablet: true,
    isDesktop: false,
    terminalCode: 6,
  })
  expect(detectEnvironment(mac, 0)).toMatchObject({ os: 'macos', isDesktop: true, terminalCode: 1 })
})

test('a Windows laptop or HarmonyOS PC with a touchscreen is not detected as an iPad', () => {
  expect(detectEnvironment(sampleOf('chrome-windows'), 10)).toMatchObject({ os: 'windows' })
  expect(detectEnvironment(sampleOf('harmony-next-pc'), 10)).toMatchObject({ os: 'harmony' })
})

const android = (end: string) =>
  `Mozilla/5.0 (Linux; Android 14; X; wv) AppleWebKit/537.36 Chrome/122.0.0.0 Mobile Safari/537.36 ${end}`

test.each([
  ['the host app wins over WeChat', 'MicroMessenger/8.0.1 SuperApp', 'superApp'],
  ['WeCom wins over QQ and WeChat', 'MicroMessenger/7.0.1 QQ/9.1 wxwork/4.1', 'wecom'],
  ['QQ wins over WeChat', 'MicroMessenger/Lite QQ/9.2', 'qq'],
  ['TIM is QQ', 'TIM/3.5.1', 'qq'],
  ['DingTalk wins over Alipay', 'AlipayClient/10 AliApp(DingTalk/7.0)', 'dingtalk'],
  ['Alipay wins over Feishu', 'Lark/7.1 AlipayClient/10', 'alipay'],
  [
    'a longer word starting with the host app’s name is not the host app',
    'SuperApplication/1',
    'browser',
  ],
  ['QQ needs a version and a word boundary before it', 'QQ/x MQQ/9', 'browser'],
  ['WeChat is detected in lower case', 'micromessenger/8', 'wechat'],
])('%s', (_, end, container) => {
  expect(detectEnvironment(android(end)).container).toBe(container)
})

test.each([
  ['a page in WeChat', 'MicroMessenger/8 miniProgram/wx12', 'wechat', 'wechat', 3],
  ['a native request in WeChat', 'MicroMessenger/8 MiniProgramEnv/android', 'wechat', 'wechat', 3],
  ['a page in QQ', 'QQ/MiniApp', 'qq', 'h5', 6],
  ['a page in Alipay', 'AlipayClient/10 MiniProgram', 'alipay', 'h5', 4],
  [
    'in WeCom a WeChat token is ignored',
    'wxwork/4 MicroMessenger/7 miniProgram/wx12',
    null,
    'h5',
    6,
  ],
  ['a token without its platform is ignored', 'miniProgram/wx12', null, 'h5', 6],
])('mini-program: %s', (_, end, miniProgram, terminalLabel, terminalCode) => {
  expect(detectEnvironment(android(end))).toMatchObject({
    miniProgram,
    terminalLabel,
    terminalCode,
  })
})

test('a Linux desktop and a HarmonyOS notebook are desktops', () => {
  const linux = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/122.0.0.0 Safari/537.36'
  expect(detectEnvironment(linux)).toMatchObject({ os: 'linux', isDesktop: true, terminalCode: 1 })
  const notebook = 'Mozilla/5.0 (2in1; OpenHarmony 5.0) AppleWebKit/537.36 Chrome/114 ArkWeb/4.1'
  expect(detectEnvironment(notebook)).toMatchObject({ os: 'harmony', isDesktop: true })
})

test.each([
  ['wechat-android', '13', 'PHF110'],
  ['wechat-ios', '17.2.1', 'iPhone'],
  ['superapp-native-http', '17.0.2', 'iPhone'],
  ['qq-browser', '11', 'NX659J'],
  ['dingtalk-android', '12', 'KB2000'],
  ['harmony-android-tablet', '10', 'BAH4-W29'],
  ['harmony-next-phone', '5.0', ''],
  ['chrome-windows', '10.0', ''],
  ['wechat-mac', '10.15.7', ''],
  ['chrome-android', '14', ''],
  ['empty', '', ''],
])('detects the OS version and model of %s', (id, osVersion, model) => {
  expect(detectDevice(sampleOf(id))).toEqual({ osVersion, model })
})

test('a very long user agent returns short values', () => {
  const long = `Android 1;${' a'.repeat(50_000)}`
  expect(detectDevice(long).model.length).toBeLessThanOrEqual(60)
  expect(detectDevice(`Android ${'1.'.repeat(50_000)}`).osVersion).toHaveLength(20)
  expect(detectEnvironment(long).container).toBe('browser')
})
