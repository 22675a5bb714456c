import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { readEnvironment } from '#platform/environment.ts'
import { Undeliverable } from './permanent-delivery-error.ts'
import { signedForAliyun, smsByAliyun } from './sms-aliyun.ts'
import { smsByHttp } from './sms-http.ts'
import { readSmsTemplates } from './sms-templates.ts'
import { signedForTencent, smsByTencent } from './sms-tencent.ts'

type Asked = { method: string; url: URL; headers: IncomingMessage['headers']; body: string }
let answer: (asked: Asked) => { status?: number; body: string } = () => ({ body: '' })
const seen: Asked[] = []
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const asked = {
      method: request.method ?? '',
      url: new URL(request.url ?? '/', 'http://gateway'),
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    }
    seen.push(asked)
    const { status = 200, body } = answer(asked)
    response.writeHead(status).end(body)
  })
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(() => new Promise((resolve) => server.close(resolve)))
const { port } = server.address() as AddressInfo
const gateway = `http://127.0.0.1:${port}`

const environment = (variables: Record<string, string>) =>
  readEnvironment({ ATRIUM_OUTBOUND_ALLOW: `127.0.0.1/32:${port}`, ...variables })
const sms = {
  to: '13800000001',
  text: '【江岚大学】验证码 012345 & "5" 分钟',
  template: 'code.zh',
  values: { code: '012345', minutes: '5' },
}
const keys = {
  ATRIUM_SMS_KEY_ID: 'testKeyId12345',
  ATRIUM_SMS_KEY_SECRET: 'testKeySecret123456',
  ATRIUM_SMS_SIGN: '江岚大学',
}

test("Alibaba Cloud's documented example gets the documented signature", () => {
  const { headers } = signedForAliyun({
    keyId: 'YourAccessKeyId',
    keySecret: 'YourAccessKeySecret',
    host: 'ecs.cn-shanghai.aliyuncs.com',
    action: 'RunInstances',
    version: '2014-05-26',
    date: '2023-10-26T10:22:32Z',
    nonce: '3156853299f313e23d1673dc12e1703d',
    fields: {
      ImageId: 'win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd',
      RegionId: 'cn-shanghai',
    },
  })
  expect(headers.authorization).toBe(
    'ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version,Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0',
  )
})

test("Tencent Cloud's documented example gets the documented signature", () => {
  const headers = signedForTencent({
    keyId: 'AKID********************************',
    keySecret: '********************************',
    host: 'cvm.tencentcloudapi.com',
    service: 'cvm',
    action: 'DescribeInstances',
    version: '2017-03-12',
    region: 'ap-guangzhou',
    time: 1551113065,
    body: '{"Limit": 1, "Filters": [{"Values": ["\\u672a\\u547d\\u540d"], "Name": "instance-name"}]}',
  })
  expect(headers.authorization).toContain(
    'Signature=10b1a37a7301a02ca19a647ad722d5e43b4b3cff309d421d85b46093f6ab6c4f',
  )
})

test('a message to Alibaba Cloud has a valid signature; invalid numbers are not retried', async () => {
  // Verified from the received request, following the documented steps without our code.
  const hash = (text: string) => createHash('sha256').update(text).digest('hex')
  answer = ({ headers, url, body, method }) => {
    const [, names = '', signature] =
      /SignedHeaders=([^,]+),Signature=(\w+)$/.exec(headers.authorization ?? '') ?? []
    const canonical = `${method}\n/\n${url.search.slice(1)}\n${names
      .split(';')
      .map((name) => `${name}:${headers[name]}\n`)
      .join('')}\n${names}\n${hash(body)}`
    const wanted = createHmac('sha256', keys.ATRIUM_SMS_KEY_SECRET)
      .update(`ACS3-HMAC-SHA256\n${hash(canonical)}`)
      .digest('hex')
    return wanted === signature
      ? { body: '{"Code":"OK","Message":"OK"}' }
      : { status: 400, body: '{"Code":"SignatureDoesNotMatch","Message":"no"}' }
  }
  const send = smsByAliyun(
    environment({
      ATRIUM_SMS: 'aliyun',
      ATRIUM_SMS_URL: gateway,
      ATRIUM_SMS_TEMPLATES: 'code=SMS_1(code)',
      ...keys,
    }),
  )
  await send(sms)
  const asked = seen.at(-1)
  expect(Object.fromEntries(asked?.url.searchParams ?? [])).toEqual({
    PhoneNumbers: '13800000001',
    SignName: '江岚大学',
    TemplateCode: 'SMS_1',
    TemplateParam: '{"code":"012345"}',
  })
  expect(asked?.headers['x-acs-action']).toBe('SendSms')
  await expect(send({ ...sms, template: 'unknown' })).rejects.toThrow(Undeliverable)
  answer = () => ({ body: '{"Code":"isv.MOBILE_NUMBER_ILLEGAL","Message":"bad"}' })
  await expect(send(sms)).rejects.toThrow(Undeliverable)
  answer = () => ({ status: 503, body: 'busy' })
  await expect(send(sms)).rejects.not.toThrow(Undeliverable)
})

test('a message to Tencent Cloud has a valid signature; invalid numbers are not retried', async () => {
  const hash = (text: string) => createHash('sha256').update(text).digest('hex')
  const mac = (key: string | Buffer, text: string) =>
    createHmac('sha256', key).update(text).digest()
  answer = ({ headers, body }) => {
    const [, day = '', names = '', signature] =
      /Credential=[\w-]+\/([\d-]+)\/sms\/tc3_request, SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
        headers.authorization ?? '',
      ) ?? []
    const value = (name: string) =>
      name === 'x-tc-action' ? String(headers[name]).toLowerCase() : headers[name]
    const canonical = `POST\n/\n\n${names
      .split(';')
      .map((name) => `${name}:${value(name)}\n`)
      .join('')}\n${names}\n${hash(body)}`
    const key = mac(mac(mac(`TC3${keys.ATRIUM_SMS_KEY_SECRET}`, day), 'sms'), 'tc3_request')
    const wanted = mac(
      key,
      `TC3-HMAC-SHA256\n${headers['x-tc-timestamp']}\n${day}/sms/tc3_request\n${hash(canonical)}`,
    ).toString('hex')
    return {
      body:
        wanted === signature
          ? '{"Response":{"SendStatusSet":[{"Code":"Ok"}]}}'
          : '{"Response":{"Error":{"Code":"AuthFailure.SignatureFailure"}}}',
    }
  }
  const send = smsByTencent(
    environment({
      ATRIUM_SMS: 'tencent',
      ATRIUM_SMS_URL: gateway,
      ATRIUM_SMS_APP_ID: '1400006666',
      ATRIUM_SMS_TEMPLATES: 'code.zh=449739(code,minutes) code.en=449740(code)',
      ...keys,
    }),
  )
  await send(sms)
  expect(JSON.parse(seen.at(-1)?.body ?? '')).toEqual({
    PhoneNumberSet: ['+8613800000001'],
    SmsSdkAppId: '1400006666',
    SignName: '江岚大学',
    TemplateId: '449739',
    TemplateParamSet: ['012345', '5'],
  })
  answer = () => ({
    body: '{"Response":{"SendStatusSet":[{"Code":"InvalidParameterValue.IncorrectPhoneNumber"}]}}',
  })
  await expect(send(sms)).rejects.toThrow(Undeliverable)
  answer = () => ({ body: '{"Response":{"Error":{"Code":"InternalError.Timeout"}}}' })
  await expect(send(sms)).rejects.not.toThrow(Undeliverable)
})

test('an HTTP gateway is called as configured, with all values escaped', async () => {
  answer = () => ({ body: '{"code":0}' })
  const json = smsByHttp(
    environment({
      ATRIUM_SMS: 'http',
      ATRIUM_SMS_URL: `${gateway}/send?to={to}`,
      ATRIUM_SMS_BODY: '{"mobile":"{to}","content":"{text}","n":{"code":"{code}"}}',
      ATRIUM_SMS_HEADER: 'Authorization: Bearer a:b',
      ATRIUM_SMS_OK: '"code":0',
    }),
  )
  await json({ ...sms, to: '+49 151&to=1' })
  expect(seen.at(-1)).toMatchObject({ method: 'POST' })
  expect(seen.at(-1)?.url.searchParams.getAll('to')).toEqual(['+49 151&to=1'])
  expect(seen.at(-1)?.headers.authorization).toBe('Bearer a:b')
  expect(JSON.parse(seen.at(-1)?.body ?? '')).toEqual({
    mobile: '+49 151&to=1',
    content: sms.text,
    n: { code: '012345' },
  })
  const form = smsByHttp(
    environment({
      ATRIUM_SMS: 'http',
      ATRIUM_SMS_URL: gateway,
      ATRIUM_SMS_BODY: 'mobile={to}&content={text}',
    }),
  )
  await form(sms)
  expect(new URLSearchParams(seen.at(-1)?.body).get('content')).toBe(sms.text)
  answer = () => ({ body: '{"code":17}' })
  await expect(json(sms)).rejects.toThrow(Undeliverable)
  answer = () => ({ status: 500, body: '' })
  await expect(json(sms)).rejects.not.toThrow(Undeliverable)
})

test('a gateway in the internal network is called only if allowed', async () => {
  const send = smsByHttp(
    readEnvironment({ ATRIUM_SMS: 'http', ATRIUM_SMS_URL: `${gateway}/?key=hidden` }),
  )
  const before = seen.length
  await expect(send(sms)).rejects.toThrow('ATRIUM_OUTBOUND_ALLOW')
  expect(seen).toHaveLength(before)
})

test('missing and invalid provider settings are reported at startup', () => {
  expect(() => readEnvironment({ ATRIUM_SMS: 'aliyun', ATRIUM_SMS_SIGN: 'x' })).toThrow(
    'ATRIUM_SMS is aliyun, which needs ATRIUM_SMS_KEY_ID, ATRIUM_SMS_KEY_SECRET, ATRIUM_SMS_TEMPLATES.',
  )
  expect(() => readEnvironment({ ATRIUM_SMS_TEMPLATES: 'code' })).toThrow('code=SMS_1(code)')
  expect(() => readEnvironment({ ATRIUM_MAIL_URL: 'smtp://mail.example.edu' })).toThrow(
    'ATRIUM_MAIL_FROM',
  )
  expect(readSmsTemplates('code=SMS_1(code,minutes)').get('code')).toEqual({
    id: 'SMS_1',
    values: ['code', 'minutes'],
  })
})
