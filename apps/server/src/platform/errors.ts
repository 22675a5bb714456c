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
