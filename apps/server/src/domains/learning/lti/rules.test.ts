import { expect, test } from 'vitest'
import { splitName } from './rules.ts'

test.each([
  ['张伟', '', '伟', '张'],
  ['王小明', 'Xiaoming', '小明', '王'],
  ['王小明', 'Xiaoming Wang', 'Xiaoming', 'Wang'],
  ['John Smith', '', 'John', 'Smith'],
  ['John Smith', 'John', 'John', 'Smith'],
  ['Mary Jane  Watson', '', 'Mary Jane', 'Watson'],
  ['欧阳娜娜', '', '娜娜', '欧阳'],
  ['司马光', '', '光', '司马'],
  ['諸葛亮', '', '亮', '諸葛'],
  ['张 三', '', '三', '张'],
  // too short for a surname of two characters
  ['欧阳', '', '阳', '欧'],
  ['阿依古丽·买买提', '', '阿依古丽', '买买提'],
  ['𠮷田一', '', '田一', '𠮷'],
  ['Madonna', '', 'Madonna', ''],
  ['王', '', '王', ''],
  ['', '', '', ''],
])('%j with English name %j is split into %j and %j', (name, nameEn, given, family) => {
  expect(splitName(name, nameEn)).toEqual({ given, family })
})
