import { expect, test } from 'vitest'
import { limits, maskContact, secondsUntilAllowed } from './rules.ts'

test.each([
  [[], 0],
  [[0], 60],
  [[59.2], 1],
  [[60], 0],
  [[61, 200, 300, 400], 0],
  [[61, 200, 300, 400, 500], 3100],
  // hourly limit of five, and daily limit of ten
  [[100, 4000, 4100, 4200, 4300, 4400, 4500, 4600, 4700, 5000], 86_400 - 5000],
  [[4700, 4600, 100, 4000, 4100, 4200, 4300, 4400, 4500], 0],
])('after codes sent %j seconds ago a contact waits %i s', (ages, wait) => {
  expect(secondsUntilAllowed(ages, limits.contact)).toBe(wait)
})

test.each([
  ['13800000001', '138••••0001'],
  ['+4915112345678', '+49151••••5678'],
  ['lin.zhixia@stu.jianglan.example', 'l•••@stu.jianglan.example'],
])('%s is masked as %s', (contact, shown) => {
  expect(maskContact(contact)).toBe(shown)
})
