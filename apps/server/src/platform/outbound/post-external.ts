import http from 'node:http'
import https from 'node:https'
import { checkedLookup, OutboundError, readOutboundAllow } from './outbound.ts'

export type StreamedAnswer = {
  status: number
  headers: http.IncomingHttpHeaders
  /** the response as a stream; throws if the connection breaks */
  body: AsyncIterable<Buffer>
}

/**
 * Posts to an external address and streams the response. The same networks are closed as for `fetchExternal`. The
 * content is confidential, so http is allowed only to opened networks and redirects are not followed.
 * @throws OutboundError
 */
export function postExternal(
  address: string,
  settings: {
    allow: string | undefined
    headers: Record<string, string>
    body: string
    signal: AbortSignal
  },
): Promise<StreamedAnswer> {
  return new Promise((settle, reject) => {
    if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
      return reject(new OutboundError(`${address} is not an http or https address.`))
    const url = new URL(address)
    const plain = url.protocol === 'http:'
    const port = Number(url.port || (plain ? 80 : 443))
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
    let lookup: ReturnType<typeof checkedLookup>
    try {
      lookup = checkedLookup(url.host, host, port, readOutboundAllow(settings.allow), !plain)
    } catch (error) {
      return reject(error)
    }
    const request = (plain ? http : https).request(
      url,
      {
        method: 'POST',
        lookup,
        signal: settings.signal,
        agent: false,
        headers: { 'user-agent': 'Atrium', ...settings.headers },
      },
      (response) =>
        settle({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: response as AsyncIterable<Buffer>,
        }),
    )
    request.on('error', (error: NodeJS.ErrnoException) =>
      reject(
        error instanceof OutboundError
          ? error
          : new OutboundError(
              `${url.host} cannot be reached: ${error.message || error.code}.`,
              error.code,
            ),
      ),
    )
    request.end(settings.body)
  })
}
