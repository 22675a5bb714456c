import { expect, test } from 'vitest'
import { planBack, planMove } from './page-stack.ts'

const home = '/pages/tab/index/index'
const services = '/pages/tab/service/index'
const detail = '/pagesA/news/detail?id=1'

test('navigate pushes an entry', () => {
  expect(planMove('navigate', detail, { depth: 0, href: home }, false)).toEqual({
    do: 'push',
    href: detail,
  })
})

test('navigating to the current page does nothing', () => {
  for (const verb of ['navigate', 'redirect'] as const) {
    expect(planMove(verb, detail, { depth: 2, href: detail }, false)).toEqual({ do: 'nothing' })
  }
  expect(planMove('switchTab', home, { depth: 0, href: home }, true)).toEqual({ do: 'nothing' })
})

test('redirect replaces the current page', () => {
  expect(planMove('redirect', detail, { depth: 3, href: home }, false)).toEqual({
    do: 'replace',
    href: detail,
  })
})

test('switchTab replaces the bottom of the stack', () => {
  expect(planMove('switchTab', services, { depth: 0, href: home }, true)).toEqual({
    do: 'replace',
    href: services,
  })
  expect(planMove('switchTab', services, { depth: 3, href: detail }, true)).toEqual({
    do: 'back',
    steps: 3,
    href: services,
  })
})

test('navigating to a tab switches to it', () => {
  expect(planMove('navigate', services, { depth: 1, href: detail }, true)).toEqual({
    do: 'back',
    steps: 1,
    href: services,
  })
})

test('relaunch clears the stack, even for the current page', () => {
  expect(planMove('relaunch', detail, { depth: 2, href: detail }, false)).toEqual({
    do: 'back',
    steps: 2,
    href: detail,
  })
  expect(planMove('relaunch', home, { depth: 0, href: home }, true)).toEqual({
    do: 'replace',
    href: home,
  })
})

test('back goes back at most to the bottom of the stack', () => {
  expect(planBack(1, { depth: 2, href: detail }, home)).toEqual({ do: 'back', steps: 1 })
  expect(planBack(5, { depth: 2, href: detail }, home)).toEqual({ do: 'back', steps: 2 })
})

test('back from the start page goes home, and from home does nothing', () => {
  expect(planBack(1, { depth: 0, href: detail }, home)).toEqual({ do: 'replace', href: home })
  expect(planBack(1, { depth: 0, href: `${home}?isHideTabbar=1` }, home)).toEqual({ do: 'nothing' })
})

test('back from the start page goes to the home entry below it, if there is one', () => {
  expect(planBack(2, { depth: 0, href: detail, homeBelow: true }, home)).toEqual({
    do: 'back',
    steps: 1,
  })
})
