import { errorTexts, type Language } from '@atrium/contract/error-texts'
import { type ErrorCode, errors } from '@atrium/contract/errors'

/** What `fail` throws: the one way a handler refuses. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly fields: Record<string, string> | undefined
  readonly retryAfter: number | undefined
  constructor(
    code: ErrorCode,
    options: { fields?: Record<string, string>; retryAfter?: number } = {},
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
  options?: { fields?: Record<string, string>; retryAfter?: number },
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
  },
  en: {
    required: 'is required',
    type: 'has the wrong type',
    format: 'has the wrong format',
    length: 'has the wrong length',
    range: 'is out of range',
    choice: 'is not one of the allowed values',
  },
}
const faultKinds: Record<string, keyof (typeof faultTexts)['en']> = {
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

/** A fault of the validator as field → words. */
export function fieldFault(
  fault: { keyword: string; instancePath: string; params: Record<string, unknown> },
  language: Language,
) {
  const inside = fault.instancePath.replace(/^\//, '').replaceAll('/', '.')
  const field =
    fault.keyword === 'required' ? String(fault.params.missingProperty) : inside || 'body'
  return { [field]: faultTexts[language][faultKinds[fault.keyword] ?? 'format'] }
}
