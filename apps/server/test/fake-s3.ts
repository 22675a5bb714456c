import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const keyId = 'AKIATESTTESTTEST'
const keySecret = 'secret/key+of-the-test-bucket'
const region = 'cn-north-1'
const bucket = 'atrium-test'

type Stored = { bytes: Buffer; at: Date }

/**
 * An S3 server with one bucket: PUT, GET with ranges, HEAD, DELETE, ListObjectsV2 with paging. Every request must be
 * signed (SigV4), and its body must match the signed hash.
 */
export async function startS3() {
  const objects = new Map<string, Stored>()
  const refused: string[] = []
  let broken = false
  const server = http.createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '/', 'http://s3')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const issue = broken ? 'InternalError' : signatureIssue(request, url, body)
    if (issue) {
      refused.push(issue)
      return xml(response, broken ? 500 : 403, `<Error><Code>${issue}</Code></Error>`)
    }
    const [, inBucket, ...rest] = url.pathname.split('/')
    if (inBucket !== bucket) return xml(response, 404, '<Error><Code>NoSuchBucket</Code></Error>')
    const key = decodeURIComponent(rest.join('/'))
    if (request.method === 'GET' && key === '') return list(response, url)
    if (request.method === 'PUT') {
      objects.set(key, { bytes: body, at: new Date() })
      response.setHeader('etag', `"${createHash('md5').update(body).digest('hex')}"`)
      return response.writeHead(200).end()
    }
    if (request.method === 'DELETE') {
      objects.delete(key)
      return response.writeHead(204).end()
    }
    const found = objects.get(key)
    if (!found) return xml(response, 404, '<Error><Code>NoSuchKey</Code></Error>')
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    const bytes = from ? found.bytes.subarray(Number(from), Number(to) + 1) : found.bytes
    response.writeHead(from ? 206 : 200, {
      'content-length': bytes.length,
      'last-modified': found.at.toUTCString(),
      etag: '"e"',
    })
    response.end(request.method === 'HEAD' ? undefined : bytes)
  }

  function list(response: ServerResponse, url: URL) {
    const after = url.searchParams.get('continuation-token') ?? ''
    const keys = [...objects.keys()].sort().filter((key) => key > after)
    const page = keys.slice(0, 2)
    const more = keys.length > page.length
    const contents = page.map((key) => {
      const { bytes, at } = objects.get(key) as Stored
      return `<Contents><Key>${key}</Key><LastModified>${at.toISOString()}</LastModified><Size>${bytes.length}</Size></Contents>`
    })
    xml(
      response,
      200,
      `<ListBucketResult><Name>${bucket}</Name><IsTruncated>${more}</IsTruncated>${more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''}${contents.join('')}</ListBucketResult>`,
    )
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    objects,
    refused,
    break: (on: boolean) => {
      broken = on
    },
    variables: {
      ATRIUM_S3_BUCKET: bucket,
      ATRIUM_S3_ENDPOINT: `http://127.0.0.1:${port}`,
      ATRIUM_S3_REGION: region,
      ATRIUM_S3_KEY_ID: keyId,
      ATRIUM_S3_KEY_SECRET: keySecret,
      ATRIUM_S3_PATH_STYLE: '1',
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const xml = (response: ServerResponse, status: number, text: string) =>
  response.writeHead(status, { 'content-type': 'application/xml' }).end(text)

const hash = (data: Buffer | string) => createHash('sha256').update(data).digest('hex')
const hmac = (key: Buffer | string, data: string) => createHmac('sha256', key).update(data).digest()

/** Verifies AWS Signature Version 4 as documented by AWS. */
function signatureIssue({ headers, method }: IncomingMessage, url: URL, body: Buffer) {
  const [, scope, signed, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? []
  if (!scope || !signed) return 'AccessDenied'
  const [key, day = '', place = '', service = ''] = scope.split('/')
  if (key !== keyId || place !== region || service !== 's3') return 'InvalidAccessKeyId'
  const stated = String(headers['x-amz-content-sha256'])
  if (stated !== hash(body)) return 'XAmzContentSHA256Mismatch'
  const query = [...url.searchParams]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join('&')
  const names = signed.split(';')
  const canonical = [
    method,
    url.pathname,
    query,
    ...names.map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    signed,
    stated,
  ].join('\n')
  const time = String(headers['x-amz-date'])
  const text = ['AWS4-HMAC-SHA256', time, `${day}/${place}/s3/aws4_request`, hash(canonical)].join(
    '\n',
  )
  const dayKey = hmac(hmac(hmac(hmac(`AWS4${keySecret}`, day), place), 's3'), 'aws4_request')
  return hmac(dayKey, text).toString('hex') === signature ? undefined : 'SignatureDoesNotMatch'
}
