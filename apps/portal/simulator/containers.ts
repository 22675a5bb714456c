import { m } from '#paraglide/messages.js'

/** A container around the portal: its user agent, and the side that the simulator plays for it. */
export type SimulatedContainer = {
  id: string
  name: () => string
  plays: 'hostApp' | 'miniProgram' | 'weChat' | 'nothing'
  userAgent: string
}

const android =
  'Mozilla/5.0 (Linux; Android 14; 23013RK75C Build/UKQ1.230804.001; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/126.0.6478.134 Mobile Safari/537.36'
const ios =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_2_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148'
const harmony =
  'Mozilla/5.0 (Phone; OpenHarmony 5.0; HarmonyOS 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.0.0 Safari/537.36 ArkWeb/4.1.6.1 Mobile'
const weChat = 'MicroMessenger/8.0.76(0x18004c24) NetType/WIFI Language/zh_CN'

export const containers: SimulatedContainer[] = [
  {
    id: 'app-android',
    name: m.simulator_app_android,
    plays: 'hostApp',
    userAgent: `${android} SuperApp/5.2.0`,
  },
  {
    id: 'app-ios',
    name: m.simulator_app_ios,
    plays: 'hostApp',
    userAgent: `${ios} SuperApp/5.2.0`,
  },
  {
    id: 'app-harmony',
    name: m.simulator_app_harmony,
    plays: 'hostApp',
    userAgent: `${harmony} SuperApp/5.2.0`,
  },
  {
    id: 'mini-android',
    name: m.simulator_mini_android,
    plays: 'miniProgram',
    userAgent: `${android} ${weChat} miniProgram/wx0123456789abcdef`,
  },
  {
    id: 'mini-ios',
    name: m.simulator_mini_ios,
    plays: 'miniProgram',
    userAgent: `${ios} ${weChat} miniProgram/wx0123456789abcdef`,
  },
  {
    id: 'wechat',
    name: m.simulator_wechat,
    plays: 'weChat',
    userAgent: `${android} ${weChat}`,
  },
  {
    id: 'wecom',
    name: m.simulator_wecom,
    plays: 'nothing',
    userAgent: `${ios} wxwork/4.1.39 MicroMessenger/7.0.1 Language/zh`,
  },
  { id: 'browser', name: m.simulator_browser, plays: 'nothing', userAgent: android },
]
