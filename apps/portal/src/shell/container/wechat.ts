import { wechat } from '@atrium/contract/identity/wechat'
import { call } from '#lib/api.ts'
import { environment, frameData, landingAddress } from '#lib/environment.ts'
import { type Answer, ContainerError, type EventData } from './events.ts'

/** The parts of WeChat's JS-SDK we use. */
type Wx = {
  config: (config: object) => void
  ready: (then: () => void) => void
  error: (then: (error: { errMsg?: string }) => void) => void
  scanQRCode: (options: Options<{ resultStr: string }>) => void
  getLocation: (options: Options<{ latitude: number; longitude: number; accuracy: number }>) => void
  updateAppMessageShareData: (options: Options<unknown>) => void
  updateTimelineShareData: (options: Options<unknown>) => void
  miniProgram: {
    navigateTo: (options: Options<unknown> & { url: string }) => void
    navigateBack: (options?: { delta?: number }) => void
    switchTab: (options: Options<unknown> & { url: string }) => void
    postMessage: (options: { data: unknown }) => void
    getEnv: (then: (env: { miniprogram?: boolean }) => void) => void
  }
}
type Options<Result> = {
  success?: (result: Result) => void
  fail?: (error: { errMsg?: string }) => void
  cancel?: () => void
  [option: string]: unknown
}

/** Address of the SDK; the page's Content-Security-Policy allows it if the institution has configured WeChat. */
const scriptAddress = frameData.wechatScript ?? 'https://res.wx.qq.com/open/js/jweixin-1.6.0.js'
const scriptLimit = 10_000
const environmentLimit = 1500

let loading: Promise<Wx> | undefined
/** Loads the SDK on first use, inside WeChat only. */
export function loadWeChat(): Promise<Wx> {
  if (!environment.isWeChat) return Promise.reject(new ContainerError('unsupported', 'not WeChat'))
  loading ??= loadScript().catch((error) => {
    loading = undefined
    throw error
  })
  return loading
}

function loadScript() {
  return withTimeout(scriptLimit, (resolve, reject) => {
    const script = document.createElement('script')
    script.src = scriptAddress
    script.onload = () => {
      const { wx } = window as unknown as { wx?: Wx }
      if (wx) resolve(wx)
      else reject(new ContainerError('failed', 'no wx in the script'))
    }
    script.onerror = () => reject(new ContainerError('failed', scriptAddress))
    document.head.append(script)
  })
}

const uses = ['scanQRCode', 'getLocation', 'updateAppMessageShareData', 'updateTimelineShareData']
let configured: { address: string; wx: Promise<Wx> } | undefined

/** The SDK with its native functions unlocked by our server's signature. */
function unlock(): Promise<Wx> {
  // iOS compares the signature with the address of first entry, Android with the current one.
  const address = (environment.isIOS ? landingAddress : location.href).replace(/#.*/, '')
  if (configured?.address !== address) {
    const current = { address, wx: configure(address) }
    configured = current
    current.wx.catch(() => {
      if (configured === current) configured = undefined
    })
  }
  return configured.wx
}

async function configure(address: string) {
  const [wx, { appid, timestamp, nonceStr, signature }] = await Promise.all([
    loadWeChat(),
    call(wechat.sign, { query: { url: address } }),
  ])
  return withTimeout<Wx>(scriptLimit, (resolve, reject) => {
    // `ready` also runs after a rejected signature; `error` fires before it.
    wx.error(({ errMsg }: { errMsg?: string }) => reject(new ContainerError('failed', errMsg)))
    wx.ready(() => resolve(wx))
    wx.config({ debug: false, appId: appid, timestamp, nonceStr, signature, jsApiList: uses })
  })
}

export async function scan(): Promise<Answer<'scanCode'>> {
  const wx = await unlock()
  const { resultStr } = await callWeChat<{ resultStr: string }>((options) =>
    wx.scanQRCode({ needResult: 1, ...options }),
  )
  // For a bar code WeChat prefixes the type: `EAN_13,9787111544937`.
  return { text: String(resultStr).replace(/^[A-Z]+_\d+,/, '') }
}

export async function locate(): Promise<Answer<'locate'>> {
  const wx = await unlock()
  const position = await callWeChat<Answer<'locate'>>((options) =>
    wx.getLocation({ type: 'wgs84', ...options }),
  )
  // WeChat on Android returns strings.
  const { latitude, longitude, accuracy } = position
  return {
    latitude: Number(latitude),
    longitude: Number(longitude),
    accuracy: Number(accuracy) || 0,
  }
}

/**
 * Sets what WeChat's own menu shares from now on: with friends and QQ, and to Moments and Qzone. A page cannot open
 * that menu.
 * @returns true once WeChat has accepted it
 */
export async function offerToShare({ title, text = '', url, image = '' }: EventData<'share'>) {
  const wx = await unlock()
  const card = { title, link: url, imgUrl: image }
  // Sequentially: some versions lose the first of two concurrent calls.
  await callWeChat((options) => wx.updateAppMessageShareData({ ...card, desc: text, ...options }))
  await callWeChat((options) => wx.updateTimelineShareData({ ...card, ...options }))
  return true
}

/** Wraps one SDK call in a promise. */
export function callWeChat<Result = unknown>(start: (options: Options<Result>) => void) {
  return new Promise<Result>((resolve, reject) => {
    start({
      success: resolve,
      cancel: () => reject(new ContainerError('refused')),
      fail: ({ errMsg }) => reject(new ContainerError('failed', errMsg)),
    })
  })
}

/**
 * Whether this page is a mini-program's web-view. Checks the user agent (newer versions), then the global variable,
 * which is reliable once WeChat's bridge is ready, then the SDK. Rejects outside WeChat's browser.
 */
export async function inMiniProgram(): Promise<boolean> {
  if (!environment.isWeChat) throw new ContainerError('unsupported', 'not WeChat')
  if (environment.miniProgram === 'wechat') return true
  const globals = globalThis as unknown as { __wxjs_environment?: string; WeixinJSBridge?: unknown }
  if (globals.__wxjs_environment === 'miniprogram') return true
  return withTimeout<boolean>(environmentLimit, (resolve, reject) => {
    const checkEnvironment = () => globals.__wxjs_environment === 'miniprogram' && resolve(true)
    if (globals.WeixinJSBridge) checkEnvironment()
    else document.addEventListener('WeixinJSBridgeReady', checkEnvironment, { once: true })
    loadWeChat().then(
      (wx) => wx.miniProgram.getEnv(({ miniprogram }) => resolve(miniprogram === true)),
      reject,
    )
  })
}

function withTimeout<T = Wx>(
  limit: number,
  start: (resolve: (value: T) => void, reject: (reason: unknown) => void) => void,
) {
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(new ContainerError('timeout')), limit)
    const settle =
      <V>(end: (value: V) => void) =>
      (value: V) => {
        clearTimeout(timer)
        end(value)
      }
    start(settle(resolve), settle(reject))
  })
}
