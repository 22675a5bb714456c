import { get, T } from '../define.ts'

export const wechat = {
  sign: get('/portal-api/v1/wechat/getWechatJSSDK', {
    summary: 'Get the signature that wx.config of the WeChat JS-SDK needs on a page of the portal',
    access: 'public',
    query: T.Object({
      url: T.String({
        minLength: 1,
        maxLength: 2000,
        description: 'address of the page; on iOS, of the page opened first',
      }),
    }),
    reply: T.Object({
      appid: T.String(),
      timestamp: T.Integer({ description: 'seconds since 1970' }),
      nonceStr: T.String(),
      signature: T.String(),
    }),
    errors: ['wechat.not_configured', 'wechat.address_refused', 'wechat.unavailable'],
  }),
}
