import { get, T } from '../define.ts'

export const wechat = {
  sign: get('/portal-api/v1/wechat/getWechatJSSDK', {
    summary: 'What wx.config needs to open the WeChat JS-SDK on a page of ours',
    access: 'public',
    query: T.Object({
      url: T.String({
        minLength: 1,
        maxLength: 2000,
        description: 'the address of the page; on iOS the one that was opened first',
      }),
    }),
    reply: T.Object({
      appid: T.String(),
      timestamp: T.Integer({ description: 'seconds' }),
      nonceStr: T.String(),
      signature: T.String(),
    }),
    errors: ['wechat.not_configured', 'wechat.address_refused', 'wechat.unavailable'],
  }),
}
