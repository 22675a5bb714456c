import { expect, test, vi } from 'vitest'

test('the mini-program page receives event and data as described in docs/containers.md', async () => {
  const calls: string[] = []
  const wx = {
    miniProgram: {
      navigateTo({ url, success }: { url: string; success: (result: object) => void }) {
        calls.push(url)
        success({})
      },
    },
  }
  const userAgent = 'Mozilla/5.0 (iPhone) MicroMessenger/8.0.76 miniProgram/wx0123456789abcdef'
  vi.stubGlobal('navigator', { userAgent, languages: ['zh'], maxTouchPoints: 5 })
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('location', { href: 'https://m.example.edu.cn/' })
  vi.stubGlobal('window', { wx })
  vi.stubGlobal('document', {
    documentElement: {},
    head: { append: (script: { onload: () => void }) => script.onload() },
    createElement: () => ({}),
  })
  const { miniProgram } = await import('./mini-program.ts')
  const entry = {
    title: 'Linear algebra & 高等数学 + 100 %',
    startsAt: '2026-03-02T08:00:00+08:00',
    endsAt: '2026-03-02T09:40:00+08:00',
  }
  await miniProgram.addCalendar(entry)
  const [, path, event, data = ''] = /^(.*)\?event=(\w+)&data=([^&]*)$/.exec(calls[0] ?? '') ?? []
  expect([path, event]).toEqual(['/pages/atrium/ask', 'addCalendar'])
  // WeChat passes the fields on unchanged: a "+" is not decoded to a space.
  expect(JSON.parse(decodeURIComponent(data))).toEqual(entry)
})
