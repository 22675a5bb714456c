import type { Endpoint } from '@atrium/contract/define'
import { identity, type SignInStep } from '@atrium/contract/identity/identity'
import { factorReset, factorSignIn, secondFactor } from '@atrium/contract/identity/second-factor'
import { personal } from '@atrium/contract/member/personal'
import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hashSecret } from '#domains/identity/identity/queries.ts'
import { deleteGrants, insertGrants } from '#domains/identity/operators/queries.ts'
import { updateSetting } from '#platform/settings/settings.ts'
import { authenticator } from '../../../../test/authenticator.ts'
import {
  type Caller,
  demoPassword,
  idTokenOf,
  type TestApp,
  testApp,
} from '../../../../test/test-app.ts'
import { countAttempt } from './queries.ts'
import { verifySecondFactor } from './verify-factor.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
beforeEach(async () => {
  const { db } = app.platform
  for (const table of ['totp', 'passkey', 'recovery_code', 'webauthn_challenge', 'outbox'] as const)
    await db.deleteFrom(table).execute()
  await db.deleteFrom('login_throttle').execute()
  await set('secondFactorFor', '[]')
  await set('passkeyLogin', '1')
})

type Username = 'student' | 'teacher' | 'staff' | 'admin'
const set = async (key: 'secondFactorFor' | 'passkeyLogin', value: string) => {
  await updateSetting(app.platform.db, key, value)
  await app.platform.topics.flushed()
}
const person = (username: string) =>
  app.platform.db
    .selectFrom('account')
    .select(['person_id as id', 'id as accountId', 'identity_type_code as type'])
    .where('username', '=', username)
    .executeTakeFirstOrThrow()
const withPassword = async (username: Username = 'student') => {
  const { data } = await app.visitor(identity.passwordLogin, {
    body: { username, password: demoPassword },
  })
  return data
}
/** The step due after the password. */
async function stepOf(username: Username = 'student') {
  const answer = await withPassword(username)
  if (!('due' in answer)) throw new Error('nothing is due')
  return answer
}
/** An app's code, `steps` of 30 s from now. */
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + steps * 30_000,
  })
async function setUpTotp(me: Caller) {
  const { data } = await me(secondFactor.beginTotp)
  const added = await me(secondFactor.addTotp, {
    body: { enrolment: data.enrolment, code: codeOf(data.secret) },
  })
  expect(added.status).toBe(200)
  // Allows the current code to be used again.
  await app.platform.db.updateTable('totp').set({ last_step: '0' }).execute()
  return { secret: data.secret, recoveryCodes: added.data.recoveryCodes }
}
async function setUpPasskey(me: Caller, device = authenticator(app.platform.origin())) {
  const { data } = await me(secondFactor.beginPasskey)
  const added = await me(secondFactor.addPasskey, {
    body: { credential: device.create(data), name: 'Phone' },
  })
  expect(added.status).toBe(200)
  return { device, ...added.data }
}
const submitFactor = (state: string, submitted: object) =>
  app.visitor(factorSignIn.mfa, { body: { state, ...submitted } })
const latestSession = () =>
  app.platform.db
    .selectFrom('session')
    .select(['way', 'strong'])
    .where('kind', '=', 'portal')
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow()
const unconfirm = async (username: string) => {
  const { accountId } = await person(username)
  await app.platform.db
    .updateTable('session')
    .set({ confirmed_at: new Date(0).toISOString() })
    .where('account_id', '=', accountId)
    .execute()
}
const confirm = async (username: string) => {
  const { accountId } = await person(username)
  await app.platform.db
    .updateTable('session')
    .set({ confirmed_at: new Date().toISOString() })
    .where('account_id', '=', accountId)
    .execute()
}

describe('an authenticator app', () => {
  test('is enrolled by a code, encrypted at rest, and required after the password', async () => {
    const me = await app.as('student')
    const { data } = await me(secondFactor.beginTotp)
    expect(data.uri).toMatch(/^otpauth:\/\/totp\/.*student\?/)
    expect(data.uri).toContain(`secret=${data.secret}`)
    expect((await me(secondFactor.read)).data.totp).toBeNull()
    const { secret, recoveryCodes } = await setUpTotp(me)
    expect(new Set(recoveryCodes).size).toBe(10)
    const stored = await app.platform.db.selectFrom('totp').selectAll().executeTakeFirstOrThrow()
    expect(JSON.stringify(stored)).not.toContain(secret)
    expect((await me(secondFactor.read)).data).toMatchObject({
      totp: { lastUsedAt: null },
      passkeys: [],
      recoveryCodesLeft: 10,
      required: false,
    })

    const step = await stepOf()
    expect(step).toMatchObject({ due: 'secondFactor', factors: ['totp', 'recovery'] })
    const { data: session } = await submitFactor(step.state, { code: codeOf(secret) })
    const token = idTokenOf(session)
    expect((await app.withToken(token)(personal.me)).data.accountName).toBe('student')
    expect(await latestSession()).toEqual({ way: 'password', strong: true })
  })

  test('wrong codes are rejected and logged; after five, only known devices may try', async () => {
    const { secret } = await setUpTotp(await app.as('student'))
    const { state } = await stepOf()
    const right = codeOf(secret)
    const wrong = right === '000000' ? '000001' : '000000'
    for (let n = 0; n < 5; n++)
      expect(await submitFactor(state, { code: wrong })).toMatchObject({
        status: 403,
        error: 'factor.refused',
      })
    const blocked = await submitFactor((await stepOf()).state, { code: right })
    expect(blocked).toMatchObject({ status: 429, error: 'login.too_many' })
    expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(0)
    const { db } = app.platform
    const logged = await db
      .selectFrom('authentication_log')
      .select('id')
      .where('result', '=', 'factor.refused')
      .execute()
    expect(logged).toHaveLength(5)
    // On a known device the member is not delayed by other people's attempts.
    const deviceCookie = 'k'.repeat(22)
    const { id } = await person('student')
    await db
      .insertInto('known_device')
      .values({ person_id: id, key_hash: hashSecret(`cookie ${deviceCookie}`) })
      .execute()
    const fromDevice = async (cookie: string) =>
      app.app.inject({
        method: 'POST',
        url: factorSignIn.mfa.path,
        headers: { cookie: `DV-atrium=${cookie}` },
        payload: { state: (await stepOf()).state, code: right },
      })
    expect((await fromDevice('m'.repeat(22))).statusCode).toBe(429)
    expect((await fromDevice(deviceCookie)).statusCode).toBe(200)
  })

  test('concurrent attempts are counted like sequential ones', async () => {
    await setUpTotp(await app.as('student'))
    const states = await Promise.all(Array.from({ length: 12 }, () => stepOf()))
    const answers = await Promise.all(
      states.map(({ state }, n) => submitFactor(state, { code: String(100_000 + n) })),
    )
    expect(answers.filter(({ error }) => error === 'factor.refused').length).toBeLessThanOrEqual(5)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(0)
  })

  test('a code is valid once, even concurrently, and invalidates earlier steps', async () => {
    const { secret } = await setUpTotp(await app.as('student'))
    const code = codeOf(secret, 1)
    const states = await Promise.all([stepOf(), stepOf(), stepOf()])
    const answers = await Promise.all(states.map(({ state }) => submitFactor(state, { code })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ error }) => error === 'factor.refused')).toHaveLength(2)
    const { state } = await stepOf()
    expect((await submitFactor(state, { code })).error).toBe('factor.refused')
    expect((await submitFactor(state, { code: codeOf(secret) })).error).toBe('factor.refused')
  })

  test.each([-3, -2, 3, 4])('a code %i steps away is rejected', async (steps) => {
    const { secret } = await setUpTotp(await app.as('student'))
    const { state } = await stepOf()
    expect((await submitFactor(state, { code: codeOf(secret, steps) })).error).toBe(
      'factor.refused',
    )
  })

  test('is not enrolled by a foreign, forged or expired request or a wrong code', async () => {
    const me = await app.as('student')
    const { data: theirs } = await (await app.as('teacher'))(secondFactor.beginTotp)
    const { data: mine } = await me(secondFactor.beginTotp)
    const sealed = (content: object) => app.platform.secret.encrypt(JSON.stringify(content))
    const { id } = await person('student')
    for (const enrolment of [
      theirs.enrolment,
      'made-up',
      sealed({ totpFor: id, secret: mine.secret, until: Date.now() - 1 }),
      sealed({ other: id, secret: mine.secret, until: Date.now() + 60_000 }),
    ])
      expect(
        await me(secondFactor.addTotp, { body: { enrolment, code: codeOf(theirs.secret) } }),
      ).toMatchObject({ status: 403, error: 'factor.enrolment_expired' })
    expect(
      (
        await me(secondFactor.addTotp, {
          body: { enrolment: mine.enrolment, code: codeOf(mine.secret, 5) },
        })
      ).error,
    ).toBe('factor.refused')
    expect((await me(secondFactor.read)).data.totp).toBeNull()
  })

  test('a sign-in state cannot be reused after its second factor was accepted', async () => {
    const { secret } = await setUpTotp(await app.as('student'))
    const { state } = await stepOf()
    expect((await submitFactor(state, { code: codeOf(secret) })).status).toBe(200)
    expect(await submitFactor(state, { code: codeOf(secret, 1) })).toMatchObject({
      status: 401,
      error: 'login.state_expired',
    })
    expect((await submitFactor('made-up', { code: '123456' })).error).toBe('login.state_expired')
  })
})

describe('recovery codes', () => {
  test('work once each, in any notation, and notify the member when used', async () => {
    const me = await app.as('student')
    const { recoveryCodes } = await setUpTotp(me)
    const [code = ''] = recoveryCodes
    const states = await Promise.all([stepOf(), stepOf()])
    const answers = await Promise.all(
      states.map(({ state }) =>
        submitFactor(state, { code: ` ${code.toUpperCase().replace('-', ' ')}` }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
    expect((await me(secondFactor.read)).data.recoveryCodesLeft).toBe(9)
    const mails = await app.platform.db.selectFrom('outbox').select('body').execute()
    expect(mails.map(({ body }) => body).join()).toContain('恢复码')
  })

  test('are invalidated when renewed, and valid only for their owner', async () => {
    const me = await app.as('student')
    const { recoveryCodes: old } = await setUpTotp(me)
    const { recoveryCodes: theirs } = await setUpTotp(await app.as('teacher'))
    const { data } = await me(secondFactor.renewRecoveryCodes)
    expect(data.recoveryCodes).toHaveLength(10)
    const { state } = await stepOf()
    for (const code of [old[0], theirs[0]])
      expect((await submitFactor(state, { code })).error).toBe('factor.refused')
    expect((await submitFactor(state, { code: data.recoveryCodes[0] })).status).toBe(200)
  })

  test('are not stored in plain text', async () => {
    const { recoveryCodes } = await setUpTotp(await app.as('student'))
    const rows = JSON.stringify(
      await app.platform.db.selectFrom('recovery_code').selectAll().execute(),
    )
    for (const code of recoveryCodes) {
      expect(rows).not.toContain(code)
      expect(rows).not.toContain(code.replaceAll('-', ''))
    }
  })

  test('cannot be renewed without a second factor', async () => {
    const me = await app.as('student')
    expect(await me(secondFactor.renewRecoveryCodes)).toMatchObject({
      status: 404,
      error: 'factor.not_found',
    })
  })
})

describe('a passkey', () => {
  const signedOptions = async () => (await app.visitor(factorSignIn.passkeyOptions)).data
  const login = (key: string, assertion: object) =>
    app.visitor(factorSignIn.passkeyLogin, { body: { key, assertion } })

  test('signs in without a username or password and counts as two factors', async () => {
    const me = await app.as('student')
    const { device, passkey, recoveryCodes } = await setUpPasskey(me)
    expect(passkey).toMatchObject({ name: 'Phone', lastUsedAt: null })
    expect(recoveryCodes).toHaveLength(10)
    const { key, options } = await signedOptions()
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
    expect(options.allowCredentials ?? []).toEqual([])
    const { data } = await login(key, device.get(options))
    expect((await app.withToken(idTokenOf(data))(personal.me)).data.accountName).toBe('student')
    expect((await me(secondFactor.read)).data.passkeys[0]?.lastUsedAt).not.toBeNull()
    expect(await latestSession()).toEqual({ way: 'passkey', strong: true })
  })

  test('is accepted as a second factor without user verification', async () => {
    const { device } = await setUpPasskey(await app.as('student'))
    const { state, factors } = await stepOf()
    expect(factors).toEqual(['passkey', 'recovery'])
    const { data: options } = await app.visitor(factorSignIn.mfaOptions, { body: { state } })
    expect(options.allowCredentials).toMatchObject([{ id: device.id }])
    const assertion = device.get(options, { unverified: true, userHandle: null })
    expect((await submitFactor(state, { assertion })).status).toBe(200)
    expect(await latestSession()).toEqual({ way: 'password', strong: true })
  })

  test('is rejected when any part of the assertion does not match the request', async () => {
    const origin = app.platform.origin()
    const me = await app.as('student')
    const { device } = await setUpPasskey(me)
    const { device: theirs } = await setUpPasskey(await app.as('teacher'))
    const hostile: Record<string, (options: Record<string, unknown>) => object> = {
      'another origin': (options) => device.get(options, { origin: 'https://evil.example' }),
      'another host': (options) => device.get(options, { rpId: 'evil.example' }),
      'another challenge': (options) => device.get(options, { challenge: 'AAAA' }),
      'another response type': (options) => device.get(options, { type: 'webauthn.create' }),
      'no user verification': (options) => device.get(options, { unverified: true }),
      'no user handle': (options) => device.get(options, { userHandle: null }),
      'another user handle': (options) => device.get(options, { userHandle: 'AAAA' }),
      'an unknown credential': (options) =>
        authenticator(origin).get(options, { userHandle: 'AA' }),
      'another member’s key with this credential id': (options) => ({
        ...theirs.get(options),
        id: device.id,
        rawId: device.id,
      }),
      'a signature of another assertion': (options) => {
        const answer = device.get(options)
        const other = device.get(options, { challenge: 'BBBB' })
        return { ...answer, response: { ...answer.response, signature: other.response.signature } }
      },
      'broken authenticator data': (options) => {
        const answer = device.get(options)
        return { ...answer, response: { ...answer.response, authenticatorData: 'AAAA' } }
      },
      'broken client data': (options) => {
        const answer = device.get(options)
        return { ...answer, response: { ...answer.response, clientDataJSON: 'AAAA' } }
      },
    }
    for (const [how, make] of Object.entries(hostile)) {
      const { key, options } = await signedOptions()
      expect({ how, ...(await login(key, make(options))) }).toMatchObject({
        how,
        status: 403,
        error: 'factor.passkey_refused',
      })
    }
  })

  test('a challenge is valid once, with its key, for its purpose, for five minutes', async () => {
    const me = await app.as('student')
    const { device } = await setUpPasskey(me)
    const first = await signedOptions()
    const other = await signedOptions()
    expect((await login(other.key, device.get(first.options))).error).toBe('factor.passkey_refused')

    const again = await signedOptions()
    const assertion = device.get(again.options, { counter: 50 })
    const answers = await Promise.all([1, 2, 3].map(() => login(again.key, assertion)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403])

    const { state } = await stepOf()
    const loose = await signedOptions()
    const submitted = device.get(loose.options, { counter: 60 })
    expect((await submitFactor(state, { assertion: submitted })).error).toBe(
      'factor.passkey_refused',
    )
    const { data: step } = await app.visitor(factorSignIn.mfaOptions, { body: { state } })
    expect((await login(state, device.get(step, { counter: 61 }))).error).toBe(
      'factor.passkey_refused',
    )

    const late = await signedOptions()
    const { seconds } = await app.platform.db
      .selectFrom('webauthn_challenge')
      .select(sql<number>`extract(epoch from max(expires_at) - now())::float8`.as('seconds'))
      .executeTakeFirstOrThrow()
    expect(seconds).toBeLessThanOrEqual(300)
    expect(seconds).toBeGreaterThan(240)
    await app.platform.db
      .updateTable('webauthn_challenge')
      .set({ expires_at: new Date(0).toISOString() })
      .execute()
    expect((await login(late.key, device.get(late.options, { counter: 70 }))).error).toBe(
      'factor.passkey_refused',
    )
  })

  test('is rejected when its counter does not increase', async () => {
    const { device } = await setUpPasskey(await app.as('student'))
    const use = async (counter: number) => {
      const { key, options } = await signedOptions()
      return (await login(key, device.get(options, { counter }))).status
    }
    expect(await use(7)).toBe(200)
    expect(await use(6)).toBe(403)
    expect(await use(7)).toBe(403)
    expect(await use(8)).toBe(200)
  })

  test('is not accepted as the second factor of another person', async () => {
    const { device } = await setUpPasskey(await app.as('teacher'))
    await setUpPasskey(await app.as('student'))
    const { state } = await stepOf('student')
    const { data: options } = await app.visitor(factorSignIn.mfaOptions, { body: { state } })
    expect((await submitFactor(state, { assertion: device.get(options) })).error).toBe(
      'factor.passkey_refused',
    )
  })

  test('cannot be registered for another session or origin, unverified, or twice', async () => {
    const me = await app.as('student')
    const other = await app.as('teacher')
    const device = authenticator(app.platform.origin())
    const begin = async (who: Caller) => (await who(secondFactor.beginPasskey)).data
    const add = (who: Caller, credential: object) =>
      who(secondFactor.addPasskey, { body: { credential, name: 'Key' } })
    expect((await add(other, device.create(await begin(me)))).error).toBe('factor.passkey_refused')
    expect(
      (await add(me, device.create(await begin(me), { origin: 'https://evil.example' }))).error,
    ).toBe('factor.passkey_refused')
    expect((await add(me, device.create(await begin(me), { unverified: true }))).error).toBe(
      'factor.passkey_refused',
    )
    const credential = device.create(await begin(me))
    const both = await Promise.all([add(me, credential), add(me, credential)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 403])
    expect(await add(other, device.create(await begin(other)))).toMatchObject({
      status: 409,
      error: 'factor.passkey_known',
    })
  })

  test('is rejected for a disabled account', async () => {
    const { device } = await setUpPasskey(await app.as('staff'))
    const { id: personId } = await person('staff')
    const status = (status: 'active' | 'disabled') =>
      app.platform.db
        .updateTable('account')
        .set({ status })
        .where('person_id', '=', personId)
        .execute()
    await status('disabled')
    const { key, options } = await signedOptions()
    expect(await login(key, device.get(options))).toMatchObject({
      status: 401,
      error: 'login.refused',
    })
    await status('active')
  })

  test('is rejected when passkey login is switched off', async () => {
    const { device } = await setUpPasskey(await app.as('student'))
    const { key, options } = await signedOptions()
    await set('passkeyLogin', '0')
    expect((await app.visitor(factorSignIn.passkeyOptions)).error).toBe('login.way_off')
    expect((await login(key, device.get(options))).error).toBe('login.way_off')
  })
})

describe('changes to second factors', () => {
  /** Every change with valid input. */
  const changes = (
    passkeyId: string,
    begun: { enrolment: string; secret: string },
  ): [Endpoint, object][] => {
    const params = { id: passkeyId }
    const credential = authenticator(app.platform.origin()).create({
      user: { id: 'AA' },
      challenge: 'AA',
    })
    const totp = { enrolment: begun.enrolment, code: codeOf(begun.secret) }
    return [
      [secondFactor.beginTotp, {}],
      [secondFactor.addTotp, { body: totp }],
      [secondFactor.removeTotp, {}],
      [secondFactor.renewRecoveryCodes, {}],
      [secondFactor.beginPasskey, {}],
      [secondFactor.addPasskey, { body: { credential, name: 'x' } }],
      [secondFactor.renamePasskey, { params, body: { name: 'x' } }],
      [secondFactor.removePasskey, { params }],
    ]
  }

  test('all require a fresh confirmation', async () => {
    const me = await app.as('student')
    const { passkey } = await setUpPasskey(me)
    const { data: begun } = await me(secondFactor.beginTotp)
    await unconfirm('student')
    for (const [endpoint, input] of changes(passkey.id, begun))
      expect(await me(endpoint, input)).toMatchObject({
        status: 403,
        error: 'session.confirmation_due',
      })
    await confirm('student')
  })

  test('require a session, as do reading and confirming', async () => {
    const me = await app.as('student')
    const { passkey } = await setUpPasskey(me)
    const { data: begun } = await me(secondFactor.beginTotp)
    const calls = changes(passkey.id, begun)
    calls.push([secondFactor.read, {}], [secondFactor.confirmOptions, {}])
    expect(new Set(calls.map(([endpoint]) => endpoint))).toEqual(
      new Set(Object.values(secondFactor)),
    )
    for (const [endpoint, input] of calls)
      expect(await app.visitor(endpoint, input)).toMatchObject({
        status: 401,
        error: 'session.required',
      })
    expect((await me(secondFactor.read)).data).toMatchObject({ totp: null, passkeys: [passkey] })
  })

  test('cannot affect another member’s passkey', async () => {
    const me = await app.as('student')
    const { passkey } = await setUpPasskey(me)
    const other = await app.as('teacher')
    await setUpPasskey(other)
    const params = { id: passkey.id }
    expect(await other(secondFactor.removePasskey, { params })).toMatchObject({
      status: 404,
      error: 'factor.not_found',
    })
    expect(
      (await other(secondFactor.renamePasskey, { params, body: { name: 'mine' } })).status,
    ).toBe(404)
    expect((await me(secondFactor.read)).data.passkeys).toMatchObject([{ name: 'Phone' }])
    expect(
      (await me(secondFactor.renamePasskey, { params, body: { name: '我的手机' } })).data.passkeys,
    ).toMatchObject([{ name: '我的手机' }])
  })

  test('notify the member; removing the last factor deletes the recovery codes', async () => {
    const me = await app.as('student')
    const { passkey } = await setUpPasskey(me)
    await setUpTotp(me)
    expect((await me(secondFactor.removeTotp)).data).toMatchObject({
      totp: null,
      recoveryCodesLeft: 10,
    })
    expect(
      (await me(secondFactor.removePasskey, { params: { id: passkey.id } })).data,
    ).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 })
    expect('idToken' in (await withPassword())).toBe(true)
    const told = await app.platform.db
      .selectFrom('outbox')
      .select(['recipient', 'body'])
      .orderBy('id')
      .execute()
    const changes = told.flatMap(
      ({ body }) => /添加身份|添加一个|移除身份|删除一个/.exec(body)?.[0] ?? [],
    )
    expect(changes).toEqual(['添加一个', '添加身份', '移除身份', '删除一个'])
    expect((await me(secondFactor.removeTotp)).error).toBe('factor.not_found')
  })

  test('cannot remove the last required factor, even concurrently', async () => {
    const me = await app.as('student')
    const { passkey } = await setUpPasskey(me)
    await setUpTotp(me)
    await set('secondFactorFor', JSON.stringify([(await person('student')).type]))
    const answers = await Promise.all([
      me(secondFactor.removeTotp),
      me(secondFactor.removePasskey, { params: { id: passkey.id } }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.error).toBe('factor.last_required')
  })
})

describe('an identity type that requires a second factor', () => {
  const begin = async (): Promise<SignInStep> => {
    await set('secondFactorFor', JSON.stringify([(await person('student')).type]))
    return stepOf()
  }

  test('enrols an authenticator app during sign-in, before a session is opened', async () => {
    const { state, due } = await begin()
    expect(due).toBe('enrolment')
    expect('idToken' in (await withPassword('teacher'))).toBe(true)
    const { data } = await app.visitor(factorSignIn.beginTotp, { body: { state } })
    const wrong = await app.visitor(factorSignIn.addTotp, {
      body: { state, enrolment: data.enrolment, code: codeOf(data.secret, 9) },
    })
    expect(wrong.error).toBe('factor.refused')
    const added = await app.visitor(factorSignIn.addTotp, {
      body: { state, enrolment: data.enrolment, code: codeOf(data.secret) },
    })
    expect(added.data.recoveryCodes).toHaveLength(10)
    expect((await app.withToken(idTokenOf(added.data.next))(secondFactor.read)).data).toMatchObject(
      { required: true, recoveryCodesLeft: 10 },
    )
    expect((await stepOf()).due).toBe('secondFactor')
  })

  test('enrols a passkey during sign-in', async () => {
    const { state } = await begin()
    const device = authenticator(app.platform.origin())
    const { data: options } = await app.visitor(factorSignIn.beginPasskey, { body: { state } })
    const added = await app.visitor(factorSignIn.addPasskey, {
      body: { state, credential: device.create(options), name: 'Phone' },
    })
    expect(idTokenOf(added.data.next)).toBeTruthy()
    expect((await stepOf()).factors).toEqual(['passkey', 'recovery'])
  })

  test('cannot enrol another factor during sign-in if one already exists', async () => {
    const early = await begin()
    const { data: begun } = await app.visitor(factorSignIn.beginTotp, {
      body: { state: early.state },
    })
    await setUpTotp(app.withToken(await app.tokenOf('student')))
    const { state } = await stepOf()
    for (const endpoint of [factorSignIn.beginTotp, factorSignIn.beginPasskey])
      expect((await app.visitor(endpoint, { body: { state } })).error).toBe('login.state_expired')
    for (const submitted of [early.state, state])
      expect(
        (
          await app.visitor(factorSignIn.addTotp, {
            body: { state: submitted, enrolment: begun.enrolment, code: codeOf(begun.secret) },
          })
        ).error,
      ).toBe('login.state_expired')
  })

  test('lets only one of two concurrent sign-ins enrol a factor', async () => {
    const states = [(await begin()).state, (await begin()).state]
    // Both begin before either finishes.
    const begun = await Promise.all(
      states.map((state) => app.visitor(factorSignIn.beginTotp, { body: { state } })),
    )
    const answers = await Promise.all(
      states.map((state, at) => {
        const { enrolment, secret = '' } = begun[at]?.data ?? {}
        return app.visitor(factorSignIn.addTotp, {
          body: { state, enrolment, code: codeOf(secret) },
        })
      }),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
  })
})

test('identity confirmation accepts each second factor once', async () => {
  const me = await app.as('student')
  const { platform } = app
  const { id } = await person('student')
  const { secret, recoveryCodes } = await setUpTotp(me)
  const { device } = await setUpPasskey(me)
  const verify = (submitted: object, key = 'session') =>
    verifySecondFactor(platform.db, platform, { personId: id, sessionId: key }, submitted).catch(
      (error) => error.code,
    )
  const code = codeOf(secret)
  expect(await verify({ code })).toBe('totp')
  expect(await verify({ code })).toBe('factor.refused')
  expect(await verify({ code: recoveryCodes[0] })).toBe('recovery')
  expect(await verify({ code: recoveryCodes[0] })).toBe('factor.refused')
  expect(await verify({})).toBe('request.invalid')
  const { data: options } = await me(secondFactor.confirmOptions)
  const assertion = device.get(options)
  expect(await verify({ assertion }, 'another session')).toBe('factor.passkey_refused')
  const { sessionId } = (await platform.guard.viewerOf(await app.tokenOf('student'))) as {
    sessionId: string
  }
  expect(await verify({ assertion }, sessionId)).toBe('passkey')
  expect(await verify({ assertion }, sessionId)).toBe('factor.passkey_refused')
})

test('only an operator with the identity permission removes a member’s factors', async () => {
  const me = await app.as('student')
  await setUpTotp(me)
  await setUpPasskey(me)
  const params = { username: 'student' }
  expect((await me(factorReset.reset, { params })).status).toBe(403)
  const admin = await app.as('admin')
  expect((await admin(factorReset.reset, { params })).data.removed).toEqual([
    'totp',
    'passkey',
    'recovery',
  ])
  expect('idToken' in (await withPassword())).toBe(true)
  expect(await admin(factorReset.reset, { params: { username: 'nobody' } })).toMatchObject({
    status: 404,
    error: 'account.not_found',
  })
})

test('an organisation’s operator resets factors only of members entirely within it', async () => {
  const { db, topics } = app.platform
  const place = await db
    .selectFrom('organization')
    .select('id')
    .where('code', '=', 'CS')
    .executeTakeFirstOrThrow()
  const { accountId } = await person('teacher')
  await insertGrants(db, accountId, ['identity'], place.id)
  await topics.flushed()
  const operator = await app.as('teacher')
  const reset = (username: string) => operator(factorReset.reset, { params: { username } })
  await setUpTotp(await app.as('student'))
  expect((await reset('student')).data.removed).toEqual(['totp', 'recovery'])
  // Her other account is outside the operator's part.
  await setUpTotp(await app.as('staff'))
  for (const username of ['staff', '2023410086', 'admin'])
    expect(await reset(username)).toMatchObject({ status: 404, error: 'account.not_found' })
  expect((await (await app.as('staff'))(secondFactor.read)).data.totp).not.toBeNull()
  await deleteGrants(db, accountId, ['identity'])
  await topics.flushed()
})

test('the delay counts from the attempt, not from the start of its transaction', async () => {
  const { db } = app.platform
  const counted = 'late'
  await db.transaction().execute(async (db) => {
    await sql`select pg_sleep(1.5)`.execute(db)
    for (let at = 0; at < 5; at++) expect(await countAttempt(db, counted)).toBe(0)
  })
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from blocked_until - clock_timestamp())::float8 as seconds from login_throttle
    where key = ${`factor:${counted}`}`.execute(db)
  expect(rows[0]?.seconds).toBeGreaterThan(14)
  await db.transaction().execute(async (db) => {
    await sql`select pg_sleep(1.5)`.execute(db)
    expect(await countAttempt(db, counted)).toBeLessThanOrEqual(14)
  })
})
