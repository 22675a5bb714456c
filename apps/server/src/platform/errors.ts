import { errorTexts, type Language } from '@atrium/contract/error-texts'
import { type ErrorCode, errors } from '@atrium/contract/errors'

/** What `fail` throws: the one way a handler refuses. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly fields: Record<string, FaultKind> | undefined
  readonly retryAfter: number | undefined
  constructor(
    code: ErrorCode,
    options: { fields?: Record<string, FaultKind>; retryAfter?: number } = {},
  ) {
    super(code)
    this.code = code
    this.status = errors[code]
    this.fields = options.fields
    this.retryAfter = options.retryAfter
  }
}

/** @param options `fields`: what is wrong with single fields; `retryAfter`: seconds until another try makes sense */
export function fail(
  code: ErrorCode,
  options?: { fields?: Record<string, FaultKind>; retryAfter?: number },
): never {
  throw new Refusal(code, options)
}

export const errorText = (code: ErrorCode, language: Language) => errorTexts[language][code]

/** The first language of the header that we speak; Chinese otherwise. */
export function languageOf(acceptLanguage: string | undefined): Language {
  for (const part of (acceptLanguage ?? '').slice(0, 200).split(',')) {
    const tag = part.trim().toLowerCase()
    if (tag.startsWith('zh')) return 'zh'
    if (tag.startsWith('en')) return 'en'
  }
  return 'zh'
}

const faultTexts = {
  zh: {
    required: '必填',
    type: '类型不对',
    format: '格式不对',
    length: '长度不对',
    range: '超出范围',
    choice: '不在可选值中',
    order: '早于开始时间',
    unknown: '不存在',
    nobody: '没有包含任何人',
    twice: '不能重复',
    answerWeak: '答案太短，或与问题相同',
    contactSame: '与当前绑定的相同',
    passwordShort: '密码至少需要 8 个字符',
    passwordLong: '密码最多 200 个字符',
    passwordCommon: '这是常见的密码，很容易被猜到，请换一个',
    passwordPersonal: '密码中不能包含你的学工号、姓名、手机号或邮箱',
    passwordWeak: '密码太容易被猜到，可以再长一些，或用几个不相关的词组成',
    passwordSame: '新密码不能与原密码相同',
    https: '必须以 https:// 开头',
    closed: '地址在学校内网，且没有用 ATRIUM_OUTBOUND_ALLOW 开放',
    credentials: '不能带用户名和密码',
    plainAddress: '不能带用户名、密码、通配符，以及 ? 或 # 后面的部分',
  },
  en: {
    required: 'is required',
    type: 'has the wrong type',
    format: 'has the wrong format',
    length: 'has the wrong length',
    range: 'is out of range',
    choice: 'is not one of the allowed values',
    order: 'is before the start',
    unknown: 'is not known here',
    nobody: 'lets nobody in',
    twice: 'is there twice',
    answerWeak: 'The answer is too short, or stands in the question.',
    contactSame: 'This is the one you have now.',
    passwordShort: 'A password needs at least 8 characters.',
    passwordLong: 'A password may have 200 characters at most.',
    passwordCommon: 'This is one of the passwords that are tried first. Please choose another.',
    passwordPersonal:
      'A password must not contain your username, name, mobile number or mail address.',
    passwordWeak:
      'This is too easy to guess. Make it longer, or put together a few unrelated words.',
    passwordSame: 'The new password is the one you have now.',
    https: 'must begin with https://',
    closed: 'is inside the institution’s network, which ATRIUM_OUTBOUND_ALLOW does not open there',
    credentials: 'must hold no name and no password',
    plainAddress: 'must have no name, password or wildcard, and nothing from a ? or # on',
  },
}
export type FaultKind = keyof (typeof faultTexts)['en']
const faultKinds: Record<string, FaultKind> = {
  required: 'required',
  type: 'type',
  pattern: 'format',
  format: 'format',
  minLength: 'length',
  maxLength: 'length',
  minItems: 'length',
  maxItems: 'length',
  minimum: 'range',
  maximum: 'range',
  enum: 'choice',
  const: 'choice',
}

type ValidatorFault = {
  keyword: string
  instancePath: string
  params: Record<string, unknown>
}
/** A fault of the validator as field → kind, the field as a path with dots: `footTabs.0.iconPath`. */
export function faultyField(fault: ValidatorFault): Record<string, FaultKind> {
  const path = fault.instancePath.split('/').slice(1)
  if (fault.keyword === 'required') path.push(String(fault.params.missingProperty))
  return { [path.join('.') || 'body']: faultKinds[fault.keyword] ?? 'format' }
}

/** Field → words for the caller. */
export const fieldTexts = (fields: Record<string, FaultKind>, language: Language) =>
  Object.fromEntries(
    Object.entries(fields).map(([field, kind]) => [field, faultTexts[language][kind]]),
  )

/** A fault of the validator as field → words. */
export const fieldFault = (fault: ValidatorFault, language: Language) =>
  fieldTexts(faultyField(fault), language)
