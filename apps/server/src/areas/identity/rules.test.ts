import { expect, test } from 'vitest'
import { passwordFault } from './rules.ts'

test.each([
  ['seven77', 'at least 8'],
  ['密码密码密码密', 'at least 8'],
  ['Password1', 'tried first'],
  ['woaini1314', 'tried first'],
  ['aaaaaaaabb', 'tried first'],
  ['x-20260001-x', 'contain the username'],
  ['a'.repeat(201), '200 characters'],
  ['correct horse battery', undefined],
  ['密码不要太简单了', undefined],
])('%s: %s', (password, fault) => {
  const found = passwordFault(password, '20260001')
  if (fault) expect(found).toContain(fault)
  else expect(found).toBeUndefined()
})
