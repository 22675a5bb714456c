// Stands in for WeChat's JS-SDK in a page that the container simulator frames: the same calls, answered by the simulator.
// A script of its own, as WeChat's is; the portal loads it from where the frame says (`data-wechat-script`).
;(() => {
  const waiting = new Map()
  let asked = 0
  let ready = () => {}
  let failed = () => {}

  function ask(name, options) {
    const { success, fail, cancel, ...data } = options
    const id = `wx-${++asked}`
    waiting.set(id, { success, fail, cancel })
    parent.postMessage(JSON.stringify({ wx: name, id, data }), location.origin)
  }

  addEventListener('message', ({ source, origin, data }) => {
    if (source !== parent || origin !== location.origin || typeof data !== 'string') return
    const { wx: name, id, result, error } = JSON.parse(data)
    if (!name || !waiting.has(id)) return
    const { success, fail, cancel } = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) success?.(result)
    else if (/cancel/.test(error)) cancel?.({ errMsg: error })
    else fail?.({ errMsg: error })
  })

  globalThis.wx = {
    config: (options) =>
      ask('config', { ...options, success: () => ready(), fail: (error) => failed(error) }),
    ready: (then) => {
      ready = then
    },
    error: (then) => {
      failed = then
    },
    scanQRCode: (options) => ask('scanQRCode', options),
    getLocation: (options) => ask('getLocation', options),
    updateAppMessageShareData: (options) => ask('updateAppMessageShareData', options),
    updateTimelineShareData: (options) => ask('updateTimelineShareData', options),
    miniProgram: {
      navigateTo: (options) => ask('miniProgram.navigateTo', options),
      navigateBack: (options = {}) => ask('miniProgram.navigateBack', options),
      redirectTo: (options) => ask('miniProgram.redirectTo', options),
      switchTab: (options) => ask('miniProgram.switchTab', options),
      reLaunch: (options) => ask('miniProgram.reLaunch', options),
      postMessage: ({ data }) => ask('miniProgram.postMessage', { data }),
      getEnv: (then) => ask('miniProgram.getEnv', { success: then }),
    },
  }
})()
