import type { HostState } from './host.ts'

/** A call from the stand-in for WeChat's JS-SDK (wx.js); undefined for other messages. */
export function readWxCall(text: unknown) {
  try {
    const { wx, id, data } = JSON.parse(String(text))
    return typeof wx === 'string' && typeof id === 'string' ? { name: wx, id, data } : undefined
  } catch {
    return undefined
  }
}

/** WeChat's answer; throws the text passed to `fail`, containing `cancel` if the user cancelled. */
export function playWeChat(name: string, data: unknown, inMiniProgram: boolean, state: HostState) {
  switch (name) {
    case 'config': {
      const { appId, timestamp, nonceStr, signature } = data as Record<string, unknown>
      if (!appId || !timestamp || !nonceStr || !/^[0-9a-f]{40}$/.test(String(signature)))
        throw 'config:invalid signature'
      return {}
    }
    case 'scanQRCode':
      if (!state.scanned) throw 'scanQRCode:cancel'
      return { resultStr: state.scanned }
    case 'getLocation':
      return { latitude: 30.26, longitude: 120.12, accuracy: 30 }
    case 'updateAppMessageShareData':
    case 'updateTimelineShareData': {
      const { title, link } = data as Record<string, unknown>
      if (!title || !String(link).startsWith(`${location.origin}/`)) throw `${name}:fail`
      return {}
    }
    case 'miniProgram.getEnv':
      return { miniprogram: inMiniProgram }
    default:
      if (!inMiniProgram) throw `${name}:fail not in a mini-program`
      return {}
  }
}
