import { figures } from './figures.ts'

/** The program a page runs in. If a user agent names several, the first of `containers` wins. */
export type ContainerName = (typeof containers)[number]
const containers = [
  'superApp',
  'wecom',
  'qq',
  'wechat',
  'dingtalk',
  'alipay',
  'feishu',
  'browser',
] as const

export type OperatingSystem =
  | 'ios'
  | 'android'
  | 'harmony'
  | 'windows'
  | 'macos'
  | 'linux'
  | 'other'

export type RunEnvironment = {
  container: ContainerName
  isWeChat: boolean
  isWeCom: boolean
  isQQ: boolean
  isAlipay: boolean
  isDingTalk: boolean
  isFeishu: boolean
  isSuperApp: boolean
  /** The page runs in a web view of a mini-program of this platform. */
  miniProgram: 'wechat' | 'alipay' | 'qq' | null
  os: OperatingSystem
  /** Any HarmonyOS. Versions before NEXT behave as Android, and `os` says `android`. */
  isHarmony: boolean
  isHarmonyNext: boolean
  isIOS: boolean
  isAndroid: boolean
  /** A phone or a tablet. */
  isMobile: boolean
  isTablet: boolean
  isDesktop: boolean
  /** `X-Terminal-Info`. */
  terminalLabel: 'wechat' | 'app' | 'h5'
  /** 1 PC, 2 host app, 3 WeChat mini-program, 4 Alipay mini-program, 6 mobile web. */
  terminalCode: 1 | 2 | 3 | 4 | 6
}

/**
 * Detects the environment of a page from its user agent. `maxTouchPoints` distinguishes an iPad in desktop mode, which
 * claims to be a Mac, from a Mac. A user agent is a hint for layout and flow, never for a permission.
 */
export function detectEnvironment(userAgent: string, maxTouchPoints = 0): RunEnvironment {
  const matches = (pattern: RegExp) => pattern.test(userAgent)

  const isHarmonyNext = matches(/ArkWeb\/|OpenHarmony/i)
  const isHarmony = isHarmonyNext || matches(/\bHarmonyOS\b|\bHmos\/1\b/i)
  const isDesktopIPad = !isHarmonyNext && maxTouchPoints > 1 && matches(/\bMacintosh\b/)
  const isIOS = !isHarmonyNext && (isDesktopIPad || matches(/\b(iPhone|iPad|iPod)\b/))
  const isAndroid = !isHarmonyNext && matches(/\bAndroid\b/i)

  // WeCom and some pages in QQ carry WeChat's token too, and MQQBrowser is a browser core, not QQ.
  const isWeCom = matches(/wxwork\//i)
  const isQQ = matches(/(?:^|\s)(?:QQ|TIM)\/(?:\d|MiniApp)/)
  const isWeChat = !isWeCom && !isQQ && matches(/MicroMessenger\//i)
  const isAlipay = matches(/AlipayClient\//i)
  const isDingTalk = matches(/DingTalk\//i)
  const isFeishu = matches(/\bLark\//i)
  const isSuperApp = matches(/\bSuperApp\b|SWSuperApp\//)
  const detected = {
    superApp: isSuperApp,
    wecom: isWeCom,
    qq: isQQ,
    wechat: isWeChat,
    dingtalk: isDingTalk,
    alipay: isAlipay,
    feishu: isFeishu,
    browser: true,
  }
  const container = containers.find((name) => detected[name]) ?? 'browser'

  let miniProgram: RunEnvironment['miniProgram'] = null
  // A mini-program's native requests carry MiniProgramEnv only, its pages miniProgram, and on a PC both.
  if (isWeChat && (matches(/miniProgram\/wx/i) || matches(/MiniProgramEnv\//)))
    miniProgram = 'wechat'
  else if (isQQ && matches(/QQ\/MiniApp|MiniProgramEnv\//)) miniProgram = 'qq'
  else if (isAlipay && matches(/\bMiniProgram\b/)) miniProgram = 'alipay'

  const os = detectSystem()
  const isTablet =
    os === 'harmony'
      ? matches(/\(Tablet\b/i)
      : isIOS
        ? isDesktopIPad || matches(/\biPad\b/)
        : isAndroid && !matches(/\bMobile\b/)
  const isMobile = os === 'harmony' ? !matches(/\((PC|2in1)\b/i) : isIOS || isAndroid
  const isDesktop = !isMobile && os !== 'other'

  return {
    container,
    isWeChat,
    isWeCom,
    isQQ,
    isAlipay,
    isDingTalk,
    isFeishu,
    isSuperApp,
    miniProgram,
    os,
    isHarmony,
    isHarmonyNext,
    isIOS,
    isAndroid,
    isMobile,
    isTablet,
    isDesktop,
    ...detectTerminal(),
  }

  function detectSystem(): OperatingSystem {
    if (isHarmonyNext) return 'harmony'
    if (isIOS) return 'ios'
    if (isAndroid) return 'android'
    if (matches(/\bWindows\b/)) return 'windows'
    if (matches(/\bMacintosh\b/)) return 'macos'
    return matches(/\b(Linux|CrOS)\b/) ? 'linux' : 'other'
  }

  function detectTerminal(): Pick<RunEnvironment, 'terminalLabel' | 'terminalCode'> {
    if (container === 'superApp')
      return { terminalLabel: 'app', terminalCode: figures.terminal.superApp }
    if (miniProgram === 'wechat')
      return { terminalLabel: 'wechat', terminalCode: figures.terminal.miniProgram }
    if (miniProgram === 'alipay')
      return { terminalLabel: 'h5', terminalCode: figures.terminal.paymentMiniProgram }
    const { pc, h5 } = figures.terminal
    return { terminalLabel: 'h5', terminalCode: isDesktop ? pc : h5 }
  }
}

/** The system's version and the device's model from a user agent; empty if unknown. */
export function detectDevice(userAgent: string) {
  const system =
    /(?:OpenHarmony|HarmonyOS|Android|Windows NT|Mac OS X|iPhone OS|CPU OS|iOS) ([\d._]+)/
  const version = system.exec(userAgent)?.[1] ?? ''
  const model =
    /\b(iPhone|iPad|iPod)\b/.exec(userAgent) ??
    // The last part of the parenthesis, before its build: `(Linux; Android 13; PHF110 Build/RKQ1; wv)`.
    /Android [\d.]+;(?: [a-z]{2}-[a-z]{2};)?(?: HarmonyOS;)? ([^;)]{2,60}?)(?: Build\/|[;)])/i.exec(
      userAgent,
    )
  return { osVersion: version.replace(/_/g, '.').slice(0, 20), model: model?.[1] ?? '' }
}
