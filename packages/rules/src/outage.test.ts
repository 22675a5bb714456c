import { expect, test } from 'vitest'
import { isUnavailable, nextChange, outageState } from './outage.ts'

const at = (clock: string) => `2026-11-22T${clock}:00.000Z`
const planned = { kind: 'maintenance', since: at('10:00'), until: at('12:00') } as const
const down = { kind: 'down', since: at('10:20'), until: null } as const
const slow = { kind: 'slow', since: at('10:20'), until: null } as const

test.each([
  [planned, '09:59', 'planned', false, '10:00'],
  [planned, '10:00', 'maintenance', true, '12:00'],
  [planned, '11:59', 'maintenance', true, '12:00'],
  [planned, '12:00', 'over', false, undefined],
  [down, '10:20', 'down', true, undefined],
  [down, '23:59', 'down', true, undefined],
  [slow, '10:30', 'slow', false, undefined],
] as const)('outage %o at %s is %s', (outage, clock, state, out, change) => {
  const now = new Date(at(clock))
  expect(outageState(outage, now)).toBe(state)
  expect(isUnavailable(outageState(outage, now))).toBe(out)
  expect(nextChange(outage, now)).toBe(change && Date.parse(at(change)))
})
