import { createHash } from 'node:crypto'

/**
 * The signature of the WeChat JS-SDK: SHA-1 over the four values, raw and in this order.
 * @param url without what follows #
 * @see https://developers.weixin.qq.com/doc/offiaccount/OA_Web_Apps/JS-SDK.html appendix 1
 */
export const signatureOf = (ticket: string, nonce: string, timestamp: number, url: string) =>
  createHash('sha1')
    .update(`jsapi_ticket=${ticket}&noncestr=${nonce}&timestamp=${timestamp}&url=${url}`)
    .digest('hex')

/** What WeChat checks a page's signature against: its address as the browser has it, up to the #. */
export const signedPart = (url: string) => url.replace(/#.*$/s, '')
