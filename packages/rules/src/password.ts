import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

/** Why a password may not be used. */
export type PasswordIssue = 'short' | 'long' | 'common' | 'personal' | 'weak'

/** Personal data of the owner that a password must not contain. */
export type PasswordOwner = {
  usernames?: readonly string[]
  name?: string
  nameEn?: string
  mobile?: string
  email?: string
  /** words obvious to everybody here: the name of the institution */
  words?: readonly string[]
}

export const minPassword = 8
export const maxPassword = 200

/**
 * The most common passwords of Chinese speakers, from the top of published breach lists: numbers that sound like words,
 * keyboard rows, surnames and love phrases with digits appended. The library contains the international lists.
 */
const commonChinese =
  `woaini woaini1314 woaini520 woaini521 woaini123 woaiwojia woaiwojia1314 5201314 520131400 5201314520 1314520520 52013145
  5201314a a5201314 1314520a 584131421 7758521 77585210 77585211 7758258 1314521 13145200 168168168 16816888 88888888 66666666
  11223344 1122334455 12341234 147258369 147852369 159357159 123123123 321321321 369258147 789456123 741852963 112233445566
  qq123456 qq123456789 qq5201314 zz123456 aa123456 aa123456789 aa12345678 as123456 asd123456 asdf123456 123456aa 123456qq
  123456abc a123456 a12345678 a1234567 a123456789 q123456789 w123456789 z123456789 abc123456 abcd1234 abcd123456 1234abcd
  wang1234 wang123456 zhang123 zhang123456 li123456 liu123456 chen123456 yang123456 zhao123456 huang123456 woaimama woaibaba
  nihao123 nihao123456 nihaoma123 zhongguo zhongguo1 zhongguo123 beijing2008 tsinghua pku123456 admin888 admin123456 root1234
  buzhidao wodemima mima1234 mima123456 mimashi123 xiaoming123 xiaoxiao123 tiancai123 dearbook 5845201314 1qaz2wsx 1q2w3e4r5t
  gaoxiao123 daxue123 xuexiao123 xuesheng1 student123 teacher123 campus123 woshishui woshishei wobuzhidao wozhidao123`
    .split(/\s+/)
    .filter(Boolean)

const passwords = dictionary['passwords-common']
const commonPasswords = new Set([...passwords, ...commonChinese])

/**
 * Maximum length passed to the estimator: more takes time without changing the verdict, as longer passwords are only
 * stronger.
 */
const maxEstimatedLength = 40

// Created lazily: building its tables takes a moment.
let estimator: ZxcvbnFactory | undefined

/** Strength of a password from 0 to 4; personal data of the owner lowers it. */
export function passwordStrength(password: string, owner: PasswordOwner = {}): number {
  estimator ??= new ZxcvbnFactory({
    dictionary: { ...dictionary, 'passwords-zh': commonChinese },
    graphs: adjacencyGraphs,
    maxLength: maxEstimatedLength,
    l33tMaxSubstitutions: 10,
  })
  const userInputs = [...personalParts(owner), ...(owner.words ?? [])]
  return estimator.check(password.slice(0, maxEstimatedLength), userInputs).score
}

/**
 * Returns why a new password is refused; undefined if it is accepted. All characters are allowed and none is required:
 * only the guessing strength counts.
 */
export function passwordIssue(
  password: string,
  owner: PasswordOwner = {},
): PasswordIssue | undefined {
  const length = [...password].length
  if (length < minPassword) return 'short'
  if (length > maxPassword) return 'long'
  const normalized = password.normalize('NFKC').toLowerCase()
  if (commonPasswords.has(normalized) || new Set(normalized).size < 3) return 'common'
  const compact = normalized.replace(/\s/g, '')
  if (personalParts(owner).some((part) => compact.includes(part))) return 'personal'
  return passwordStrength(normalized, owner) < 2 ? 'weak' : undefined
}

/**
 * Personal data that a password must not contain, lower-cased and without spaces. Short Latin names are too common to
 * exclude.
 */
function personalParts(owner: PasswordOwner): string[] {
  const nameEn = normalize(owner.nameEn)
  const words = nameEn.split(/[\s,.'-]+/).filter(Boolean)
  const joined = [words.join(''), [...words].reverse().join('')]
  const mobile = (owner.mobile ?? '').replace(/\D/g, '')
  return [
    ...(owner.usernames ?? []).map(normalize),
    ...joined,
    mobile.slice(-8),
    normalize(owner.email).split('@')[0] ?? '',
    normalize(owner.name).replace(/\s/g, ''),
  ].filter((part) => part.length >= (/^[\u3400-\u9fff]+$/.test(part) ? 2 : 4))
}

const normalize = (text = '') => text.normalize('NFKC').trim().toLowerCase()
