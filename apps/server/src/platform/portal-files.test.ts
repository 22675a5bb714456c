import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { readEnvironment } from './environment.ts'
import { servePortal } from './portal-files.ts'

async function serve(environment: Record<string, string>) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'atrium-dist-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const part of ['dist', 'simulator/dist']) {
    mkdirSync(path.join(folder, part), { recursive: true })
    writeFileSync(path.join(folder, part, 'index.html'), `<!doctype html><title>${part}</title>`)
  }
  const app = Fastify()
  await servePortal(app as never, readEnvironment(environment), path.join(folder, 'dist'))
  return app
}

const page = async (publicUrl: string, more: Record<string, string> = {}) =>
  (await (await serve({ ATRIUM_PUBLIC_URL: publicUrl, ...more })).inject('/pages/tab/index/index'))
    .headers

test('a page may use the camera, may not be framed by others, and runs scripts of its own only', async () => {
  const headers = await page('https://m.example.edu.cn')
  expect(headers['permissions-policy']).toContain('camera=')
  expect(headers['content-security-policy']).toMatch(
    /script-src 'self' 'wasm-unsafe-eval';.*frame-ancestors 'self'/,
  )
})

test("WeChat's script may run only where the institution has set WeChat up", async () => {
  const { 'content-security-policy': policy } = await page('https://m.example.edu.cn', {
    ATRIUM_WECHAT_APP_ID: 'wx0123456789abcdef',
    ATRIUM_WECHAT_SECRET: 'a-secret-of-a-test',
  })
  expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval' https://res.wx.qq.com;")
})

test('the container simulator is there in a demo and nowhere else', async () => {
  const demo = await (await serve({ ATRIUM_DEMO: '1' })).inject('/simulator/')
  expect(demo.body).toContain('simulator/dist')
  expect(demo.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  const real = await (await serve({})).inject('/simulator/')
  expect(real.body).not.toContain('simulator/dist')
})

test('browsers are told to keep to https only where the portal is reached by it', async () => {
  expect((await page('https://m.example.edu.cn'))['strict-transport-security']).toContain(
    '63072000',
  )
  expect((await page('http://localhost:8080'))['strict-transport-security']).toBeUndefined()
})
