import { errorTexts, type Language } from '@atrium/contract/error-texts'
import { type ErrorCode, errors } from '@atrium/contract/errors'

/** The error thrown by `fail`, with a code from the contract. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly fields: Record<string, IssueKind> | undefined
  readonly retryAfter: number | undefined
  constructor(
    code: ErrorCode,
    options: { fields?: Record<string, IssueKind>; retryAfter?: number } = {},
  ) {
    super(code)
    this.code = code
    this.status = errors[code]
    this.fields = options.fields
    this.retryAfter = options.retryAfter
  }
}

/** @param options `fields`: issues of single fields; `retryAfter`: seconds after which to retry */
export function fail(
  code: ErrorCode,
  options?: { fields?: Record<string, IssueKind>; retryAfter?: number },
): never {
  throw new Refusal(code, options)
}

export const errorText = (code: ErrorCode, language: Language) => errorTexts[language][code]

const faultTexts = {
  zh: {
    required: '必填',
    type: '类型不对',
    format: '格式不对',
    length: '长度不对',
    range: '超出范围',
    choice: '不在可选值中',
    order: '不能早于开始时间',
    clockChange: '因夏令时切换，这一时刻不存在或出现两次，请换一个时间',
    unknown: '不存在',
    undeclared: '没有这个字段，请检查拼写',
    nobody: '没有包含任何人，请至少选择一类对象',
    twice: '不能重复',
    variable: '用到了没有提供的变量',
    together: '不能与按人员发送同时使用',
    answerWeak: '答案太短，或与问题相同',
    contactSame: '与当前绑定的相同',
    passwordShort: '密码至少需要 8 个字符',
    passwordLong: '密码最多 200 个字符',
    passwordCommon: '这是常见的密码，很容易被猜到，请换一个',
    passwordPersonal: '密码中不能包含你的学工号、姓名、手机号或邮箱',
    passwordWeak: '密码太容易被猜到，可以再长一些，或用几个不相关的词组成',
    passwordSame: '新密码不能与原密码相同',
    https: '必须以 https:// 开头',
    closed: '地址在学校内网，尚未用 ATRIUM_OUTBOUND_ALLOW 开放',
    inside: '这个地址在内部网络中，无法读取',
    credentials: '地址中不能包含用户名和密码',
    plainAddress: '不能包含用户名、密码、通配符，以及 ? 或 # 后面的部分',
    keySet: '必须是 JWK Set，含 1 至 10 个公钥（RSA 2048 位以上、P-256 或 Ed25519），不能有私钥',
    keepsSecret: '无法保存密钥的客户端不能使用公钥认证或集成接口',
    pairwise: '使用成对标识时不能提供账号编号',
    oneHost: '使用成对标识时，回调地址须在同一主机',
  },
  en: {
    required: 'is required',
    type: 'has the wrong type',
    format: 'has the wrong format',
    length: 'has the wrong length',
    range: 'is out of range',
    choice: 'is not one of the allowed values',
    order: 'must not be before the start',
    clockChange: 'does not exist or occurs twice because the clocks change; choose another time',
    unknown: 'does not exist',
    undeclared: 'is not a field of this call; check the spelling',
    nobody: 'includes nobody',
    twice: 'occurs twice',
    variable: 'uses a variable that is not provided',
    together: 'cannot be used together with named recipients',
    answerWeak: 'The answer is too short, or is the same as the question.',
    contactSame: 'This is the same as the current one.',
    passwordShort: 'A password needs at least 8 characters.',
    passwordLong: 'A password can have at most 200 characters.',
    passwordCommon: 'This is a common password and easy to guess. Please choose another.',
    passwordPersonal:
      'A password must not contain your username, name, mobile number or email address.',
    passwordWeak:
      'This password is too easy to guess. Make it longer, or combine a few unrelated words.',
    passwordSame: 'The new password must differ from your current one.',
    https: 'must begin with https://',
    closed: 'is inside the institution’s network and not opened with ATRIUM_OUTBOUND_ALLOW',
    inside: 'This address is inside a closed network and cannot be read.',
    credentials: 'must not contain a username or password',
    keySet:
      'must be a JWK Set of 1 to 10 public keys (RSA from 2048 bits, P-256 or Ed25519) without private keys',
    keepsSecret: 'is not available to a client that cannot keep a secret',
    pairwise: 'cannot be provided together with a pairwise sub',
    oneHost: 'must all be on one host when the sub is pairwise',
    plainAddress: 'must not contain a username, password or wildcard, or anything after a ? or #',
  },
}
export type IssueKind = keyof (typeof faultTexts)['en']
const faultKinds: Record<string, IssueKind> = {
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

type ValidatorIssue = {
  keyword: string
  instancePath: string
  params: Record<string, unknown>
}
/** A validator issue as field → kind; the field is a dotted path: `footTabs.0.iconPath`. */
function faultyField(issue: ValidatorIssue): Record<string, IssueKind> {
  const path = issue.instancePath.split('/').slice(1)
  if (issue.keyword === 'required') path.push(String(issue.params.missingProperty))
  return { [path.join('.') || 'body']: faultKinds[issue.keyword] ?? 'format' }
}

/** Maximum number of fields named in one response. */
const maxFields = 50

/** All validator issues by field: the first one per field, and the innermost of nested fields. */
export function invalidFields(issues: readonly ValidatorIssue[]): Record<string, IssueKind> {
  const fields = new Map<string, IssueKind>()
  for (const issue of issues)
    for (const [field, kind] of Object.entries(faultyField(issue)))
      if (!fields.has(field) && fields.size < maxFields) fields.set(field, kind)
  // Each member of a union reports its own issue; the innermost is the most specific.
  const named = [...fields.keys()]
  const inner = named.filter((field) => !named.some((other) => other.startsWith(`${field}.`)))
  return Object.fromEntries(inner.map((field) => [field, fields.get(field) as IssueKind]))
}

/** Field → message for the caller. */
export const fieldTexts = (fields: Record<string, IssueKind>, language: Language) =>
  Object.fromEntries(
    Object.entries(fields).map(([field, kind]) => [field, faultTexts[language][kind]]),
  )

/** One validator issue as field → message. */
export const fieldIssue = (issue: ValidatorIssue, language: Language) =>
  fieldTexts(faultyField(issue), language)
