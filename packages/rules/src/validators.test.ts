import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as rules from './validators.ts'

type Rule = (text: string) => boolean
/** Accepted and refused texts for every rule. */
const table: Record<string, { rule: Rule; takes: string[]; refuses: string[] }> = {
  'an e-mail address': {
    rule: rules.isEmail,
    takes: ['lin@example.edu.cn', 'a.b+news@x.io', ' lin@example.com ', 'ｌｉｎ@example.com'],
    refuses: [
      '',
      'lin',
      'lin@localhost',
      'lin@-x.com',
      'lin@x..com',
      'a b@x.com',
      'a@b@x.com',
      '<lin@x.com>',
      `${'a'.repeat(65)}@x.com`,
      `lin@${'a.'.repeat(126)}com`,
    ],
  },
  'a mobile number': {
    rule: rules.isMobile,
    takes: ['13800138000', '12345678901', '１３８００１３８０００', ' 13800138000\n'],
    refuses: [
      '11012345678',
      '1380013800',
      '+8613800138000',
      '138 0013 8000',
      '138００１３８０００x',
    ],
  },
  'a landline number': {
    rule: rules.isLandline,
    takes: ['010-62345678', '0755-23456789-801'],
    refuses: ['62345678', '01062345678', '010-623456', '010-62345678-'],
  },
  'a landline number as dialled': {
    rule: rules.isDialledLandline,
    takes: ['62345678', '01062345678', '010-62345678', '0755-23456789-801'],
    refuses: ['010-12345678', '110'],
  },
  'a URL': {
    rule: rules.isUrl,
    takes: [
      'https://example.edu.cn',
      'http://a.cn:8080/x?y=1#z',
      'HTTPS://EXAMPLE.COM',
      'https://例子.中国/图书馆',
    ],
    refuses: [
      '',
      'example.com',
      '//example.com',
      'https:example.com',
      'https:///example.com',
      'https://',
      'https://user:word@example.com',
      'javascript:alert(1)',
      'data:text/html,x',
      'ftp://example.com',
    ],
  },
  'a date': {
    rule: rules.isDate,
    takes: [
      '2026-11-23',
      '2026/1/3',
      '2026.1.3',
      '2026年11月23日',
      '2026-11-23 08:05',
      '2024-02-29',
    ],
    refuses: [
      '2026-02-30',
      '2026-13-01',
      '2026-00-10',
      '23.11.2026',
      '2026-11-23 24:00',
      'today',
      '',
    ],
  },
  'an ISO date': {
    rule: rules.isIsoDate,
    takes: ['2026-11-23', '2024-02-29', '２０２６-１１-２３'],
    refuses: ['2026-02-30', '2025-02-29', '2026-1-3', '2026/11/23', '2026-11-23T00:00:00Z'],
  },
  'a number': {
    rule: rules.isNumber,
    takes: ['0', '-12', '+1.5', '.5', '5.', '1e3', '１２'],
    refuses: ['', '.', '1.2.3', '1,000', '0x10', 'NaN', 'Infinity', '--1'],
  },
  digits: {
    rule: rules.isDigits,
    takes: ['0', '007', '１２３'],
    refuses: ['', '-1', '1.0', '1 2', '一二三'],
  },
  'an amount': {
    rule: rules.isAmount,
    takes: ['0', '0.01', '12', '12.3', '12.34'],
    refuses: ['.5', '00.1', '12.345', '-1', '1,234.50', '12.', '1e3'],
  },
  'an ID card number': {
    rule: rules.isIdCard,
    takes: ['11010519491231002X', '11010519491231002x', '110101190001010014'],
    refuses: [
      '110101194912310021',
      '11010519491231002',
      '110105194912310020',
      '11010519490231002X',
      '01010519491231002X',
      '110105491231002',
    ],
  },
  'an organisation code': {
    rule: rules.isOrganizationCode,
    takes: ['91350100M000100Y43', '91350100m000100y43'],
    refuses: ['91350100M000100Y44', '91350100M000100Y4', '91350100I000100Y43'],
  },
  'a car plate': {
    rule: rules.isCarPlate,
    takes: [
      '京A12345',
      '粤B1234学',
      '粤ZA123港',
      '京AD12345',
      '粤B12345F',
      '京AA12345',
      '京a12345',
    ],
    refuses: ['京I12345', '京AO1234', '京AL12345', '京AD1234A', 'A12345', '京A1234', '京A1234567'],
  },
  'Chinese characters': {
    rule: rules.isChinese,
    takes: ['张三', '𠮷', '〇'],
    refuses: ['张·三', '张 三', '张san', '', 'カナ'],
  },
  letters: { rule: rules.isLetters, takes: ['abc', 'ＡＢＣ'], refuses: ['', 'a1', 'é', 'a b'] },
  'letters or digits': {
    rule: rules.isLettersOrDigits,
    takes: ['abc', '123', 'a1'],
    refuses: ['', 'a-1', 'a_1', '张'],
  },
  JSON: {
    rule: rules.isJson,
    takes: ['{}', '[]', '{"a":[1]}', ' [1] '],
    refuses: ['', 'null', '1', '"a"', '{a:1}', "{'a':1}", 'undefined'],
  },
  'a six-digit code': {
    rule: rules.isCode,
    takes: ['012345', '０１２３４５', ' 012345'],
    refuses: ['12345', '1234567', '12a456', '12 456', ''],
  },
  'an image file name': {
    rule: rules.isImageName,
    takes: ['a.png', 'A.JPG', '/files/a.webp?x=1', 'https://x.cn/a.gif#b', 'b.avif', '照片.jpeg'],
    refuses: ['png', '.png', 'a.png.exe', 'a.mp4', 'a?x=.png', 'folder/.png', ''],
  },
  'a video file name': {
    rule: rules.isVideoName,
    takes: ['a.mp4', 'A.MOV', 'https://x.cn/live.m3u8?t=1'],
    refuses: ['mp4', 'a.mp3', 'a.png', 'a.mp4/b'],
  },
}

describe.each(Object.entries(table))('%s', (_, { rule, takes, refuses }) => {
  test.each(takes)('accepts %j', (text) => expect(rule(text)).toBe(true))
  test.each(refuses)('rejects %j', (text) => expect(rule(text)).toBe(false))
})

test('a code can have another length', () => {
  expect(rules.isCode('1234', 4)).toBe(true)
  expect(rules.isCode('123456', 4)).toBe(false)
})

const number17 = fc
  .tuple(
    fc.integer({ min: 100000, max: 999999 }),
    fc.date({ min: new Date('1900-01-01'), max: new Date('2026-01-01'), noInvalidDate: true }),
    fc.integer({ min: 0, max: 999 }),
  )
  .map(
    ([place, birth, order]) =>
      `${place}${birth.toISOString().slice(0, 10).replaceAll('-', '')}${String(order).padStart(3, '0')}`,
  )

test('exactly one last character completes an ID card number', () => {
  fc.assert(
    fc.property(number17, (number) => {
      const fitting = [...'0123456789X'].filter((last) => rules.isIdCard(number + last))
      expect(fitting).toHaveLength(1)
    }),
  )
})

test('an ID card number with one wrong digit is rejected', () => {
  fc.assert(
    fc.property(number17, fc.nat(16), fc.integer({ min: 1, max: 9 }), (number, at, by) => {
      const last = [...'0123456789X'].find((last) => rules.isIdCard(number + last)) ?? ''
      const digit = (Number(number[at]) + by) % 10
      expect(rules.isIdCard(number.slice(0, at) + digit + number.slice(at + 1) + last)).toBe(false)
    }),
  )
})

test('no text makes a rule throw, and surrounding spaces or full-width digits do not change the result', () => {
  const wide = (text: string) =>
    text.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      for (const { rule } of Object.values(table).filter(({ rule }) => rule !== rules.isJson)) {
        expect(rule(` ${wide(text)}\t`)).toBe(rule(text))
      }
      expect([true, false]).toContain(rules.isJson(text))
    }),
  )
})
