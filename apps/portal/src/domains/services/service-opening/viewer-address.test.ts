import { expect, test } from 'vitest'
import { viewerAddress } from './viewer-address.ts'

const none = { isDingTalk: false, isWeCom: false, isFeishu: false }
const url = 'https://meeting.example.edu/join?room=1&name=会议#now'

test('the DingTalk link contains the whole address, percent-encoded', () => {
  const address = viewerAddress({ ...none, isDingTalk: true }, url) ?? ''
  expect(address).toMatch(/^dingtalk:\/\/dingtalkclient\/page\/link\?url=https%3A%2F%2F/)
  const { searchParams, hash } = new URL(address)
  expect([...searchParams.keys()]).toEqual(['url', 'pc_slide'])
  expect(searchParams.get('url')).toBe(url)
  expect(hash).toBe('')
})

test('WeCom and Feishu open the address itself, a browser has no viewer', () => {
  expect(viewerAddress({ ...none, isWeCom: true }, url)).toBe(url)
  expect(viewerAddress({ ...none, isFeishu: true }, url)).toBe(url)
  expect(viewerAddress(none, url)).toBeUndefined()
})
