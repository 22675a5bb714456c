import { randomBytes } from 'node:crypto'
import type { wechat } from '@atrium/contract/identity/wechat'
import { fail } from '#platform/http/errors.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { getJsapiTicket } from './jsapi-ticket.ts'
import { signatureOf, signedPart } from './rules.ts'

export const wechatHandlers: Handlers<typeof wechat> = {
  async sign({ platform, query }) {
    const { ATRIUM_WECHAT_APP_ID: id, ATRIUM_WECHAT_SECRET: secret } = platform.env
    if (!id || !secret) fail('wechat.not_configured')
    const url = signedPart(query.url)
    // Only our own pages: otherwise anybody could use us as a signing service.
    if (!URL.canParse(url) || !platform.isOwnOrigin(new URL(url).origin))
      fail('wechat.address_refused')
    const ticket = await getJsapiTicket(platform, { id, secret })
    const nonceStr = randomBytes(12).toString('hex')
    const timestamp = Math.floor(Date.now() / 1000)
    const signature = signatureOf(ticket, nonceStr, timestamp, url)
    return { appid: id, timestamp, nonceStr, signature }
  },
}
