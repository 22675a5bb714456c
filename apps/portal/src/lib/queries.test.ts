import { account } from '@atrium/contract/identity/account'
import { config } from '@atrium/contract/shell/config'
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'

const call = vi.fn()
vi.mock('./api.ts', () => ({ ApiError: Error, buildUrl: (path: string) => path, call }))
vi.stubGlobal('addEventListener', () => {})
vi.stubGlobal('localStorage', { getItem: () => null, setItem() {}, removeItem() {} })
const arrivedAt = Date.now() - 1000
vi.stubGlobal('earlyAnswers', {
  token: null,
  answers: { [config.system.path]: { arrived: { data: { version: '1' }, at: arrivedAt } } },
})
const { invalidate, q, queryClient, setAnswer } = await import('./queries.ts')

const query = q(account.security)
const answer = (on: boolean) => ({ smsLogin: { on } })
const turnOff = () =>
  setAnswer(query, (before) => before && { ...before, smsLogin: { ...before.smsLogin, on: false } })
const isOn = () => queryClient.getQueryData(query.queryKey)?.smsLogin.on

afterEach(() => {
  queryClient.clear()
  call.mockReset()
})

test('a refetch started before setAnswer does not overwrite the change', async () => {
  call.mockResolvedValueOnce(answer(true))
  await queryClient.fetchQuery(query)
  const late = Promise.withResolvers()
  call.mockReturnValueOnce(late.promise)
  const read = queryClient.refetchQueries({ queryKey: query.queryKey, type: 'all' })
  turnOff()
  expect(isOn()).toBe(false)
  late.resolve(answer(true))
  await read
  expect(isOn()).toBe(false)
})

test('setAnswer without cached data does not cancel the first fetch', async () => {
  call.mockResolvedValueOnce(answer(true))
  const read = queryClient.fetchQuery(query)
  turnOff()
  await read
  expect(isOn()).toBe(true)
})

test('what arrived while the app was loading is there at once and not requested again', async () => {
  const show = () => new QueryObserver(queryClient, q(config.system)).getCurrentResult()
  expect(show()).toMatchObject({ data: { version: '1' }, dataUpdatedAt: arrivedAt })
  await queryClient.fetchQuery(q(config.system))
  expect(call).not.toHaveBeenCalled()
  queryClient.clear()
  expect(show().data).toBeUndefined()
})

test('a first read that was running before a change does not hide it', async () => {
  const first = Promise.withResolvers()
  call.mockReturnValueOnce(first.promise).mockResolvedValueOnce(answer(false))
  const observer = new QueryObserver(queryClient, query)
  const stop = observer.subscribe(() => {})
  invalidate(account.security)
  first.resolve(answer(true))
  await vi.waitFor(() => expect(observer.getCurrentResult().isFetched).toBe(true))
  expect(isOn()).toBe(false)
  expect(call).toHaveBeenCalledTimes(2)
  stop()
})
