import { createHash } from 'node:crypto'

/**
 * The WeChat JS-SDK signature: SHA-1 over the four raw values in this order.
 * @param url without the fragment
 * @see https://developers.weixin.qq.com/doc/offiaccount/OA_Web_Apps/JS-SDK.html appendix 1
 */
export const signatureOf = (ticket: string, nonce: string, timestamp: number, url: string) =>
  createHash('sha1')
    .update(`jsapi_ticket=${ticket}&noncestr=${nonce}&timestamp=${timestamp}&url=${url}`)
    .digest('hex')

/** The part of a page's address that WeChat signs: everything before the fragment. */
export const signedPart = (url: string) => url.replace(/#.*$/s, '')
