import { expect, test } from 'vitest'
import { answers, eventNames } from '#shell/container/answers.ts'
import { startConversation } from '#shell/container/protocol.ts'
import { type HostState, initialState, playHostApp } from './host.ts'

/** The page's side of a conversation with the simulated host app. */
function talk(set: Partial<HostState> = {}) {
  let state = { ...initialState, ...set }
  const change = (more: Partial<HostState>) => {
    state = { ...state, ...more }
  }
  const host = startConversation(
    (text) => page.receive(text),
    playHostApp({ get: () => state, change }),
  )
  const page = startConversation(
    (text) => host.receive(text),
    () => ({}),
  )
  const hello = async () => {
    const reply = (await page.request('hello', { versions: [1] }, 100)) as {
      key: string
      events: string[]
    }
    page.setKey(reply.key)
    return reply
  }
  return { page, hello, state: () => state }
}

test('the simulated app supports every event except copy and locate, with valid answers', async () => {
  const { page, hello } = talk({ idToken: 'a.b.c' })
  const { events } = await hello()
  expect(eventNames.filter((name) => !events.includes(name))).toEqual(['copy', 'locate'])
  for (const name of eventNames.filter((known) => events.includes(known))) {
    const answer = await page.request(name, { serviceId: '1', msgId: '1', badgeCount: 1 }, 100)
    expect(() => answers[name].read(answer)).not.toThrow()
  }
})

test('requests without the key returned by hello are refused', async () => {
  const { page, hello } = talk()
  await expect(page.request('sysVpnState', {}, 100)).rejects.toMatchObject({ reason: 'refused' })
  page.setKey('guessed')
  await expect(page.request('sysVpnState', {}, 100)).rejects.toMatchObject({ reason: 'refused' })
  await hello()
  expect(await page.request('sysVpnState', {}, 100)).toEqual({ connected: false })
})

test('state changed by one event is reported by later ones', async () => {
  const { page, hello, state } = talk({ idToken: 'a.b.c' })
  await hello()
  await page.request('sysVpnConnectOrDisconnect', { vpnOperateType: 'connect' }, 100)
  expect(await page.request('sysVpnState', {}, 100)).toEqual({ connected: true })
  await page.request('sysInfoAuthorize', { serviceId: '7', title: 'Library' }, 100)
  const asked = await page.request('sysInfoAuthorizeGetState', { serviceId: '7' }, 100)
  expect(asked).toEqual({ authorized: true })
  await page.request('sysSetBadge', { badgeCount: 12 }, 100)
  expect(state().badge).toBe(12)
  await page.request('sysLogout', {}, 100)
  await expect(page.request('sysGetUserToken', {}, 100)).rejects.toMatchObject({
    reason: 'refused',
  })
})

test('an unknown event is unsupported, and an app without the protocol does not answer', async () => {
  const { page, hello } = talk()
  await hello()
  await expect(page.request('toString', {}, 100)).rejects.toMatchObject({ reason: 'unsupported' })
  await expect(talk({ speaks: false }).hello()).rejects.toMatchObject({ reason: 'timeout' })
})
