import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

/** Why a password may not be used. */
export type PasswordIssue = 'short' | 'long' | 'common' | 'personal' | 'weak'

/** What is known of the person who chooses it; a password must not be made of that. */
export type PasswordOwner = {
  usernames?: readonly string[]
  name?: string
  nameEn?: string
  mobile?: string
  email?: string
  /** what everybody here thinks of: the name of the institution */
  words?: readonly string[]
}

export const minPassword = 8
export const maxPassword = 200

/**
 * What Chinese speakers try first, from the heads of the lists published after breaches: numbers that sound like words,
 * keyboard rows, surnames and confessions of love with digits behind them. The international heads come with the library.
 */
const chinese =
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
const commonest = new Set([...passwords, ...chinese])

/** Guesses beyond this part cost time and decide nothing: a longer password only gets stronger. */
const judgedLength = 40

// Building its tables takes a moment: not before the first password.
let judge: ZxcvbnFactory | undefined

/** How hard a password is to guess, from 0 to 4; what is known of its owner makes it easier. */
export function passwordStrength(password: string, owner: PasswordOwner = {}): number {
  judge ??= new ZxcvbnFactory({
    dictionary: { ...dictionary, 'passwords-zh': chinese },
    graphs: adjacencyGraphs,
    maxLength: judgedLength,
    l33tMaxSubstitutions: 10,
  })
  const known = [...personalParts(owner), ...(owner.words ?? [])]
  return judge.check(password.slice(0, judgedLength), known).score
}

/**
 * What is wrong with a new password; nothing when it may be used. Any character will do, and none has to be there: what
 * counts is how hard it is to guess.
 */
export function passwordIssue(
  password: string,
  owner: PasswordOwner = {},
): PasswordIssue | undefined {
  const length = [...password].length
  if (length < minPassword) return 'short'
  if (length > maxPassword) return 'long'
  const plain = password.normalize('NFKC').toLowerCase()
  if (commonest.has(plain) || new Set(plain).size < 3) return 'common'
  const dense = plain.replace(/\s/g, '')
  if (personalParts(owner).some((part) => dense.includes(part))) return 'personal'
  return passwordStrength(plain, owner) < 2 ? 'weak' : undefined
}

/** What of a person's data must not stand in a password, written small and without spaces. Short Latin names are too frequent. */
function personalParts(owner: PasswordOwner): string[] {
  const nameEn = small(owner.nameEn)
  const words = nameEn.split(/[\s,.'-]+/).filter(Boolean)
  const joined = [words.join(''), [...words].reverse().join('')]
  const mobile = (owner.mobile ?? '').replace(/\D/g, '')
  return [
    ...(owner.usernames ?? []).map(small),
    ...joined,
    mobile.slice(-8),
    small(owner.email).split('@')[0] ?? '',
    small(owner.name).replace(/\s/g, ''),
  ].filter((part) => part.length >= (/^[\u3400-\u9fff]+$/.test(part) ? 2 : 4))
}

const small = (text = '') => text.normalize('NFKC').trim().toLowerCase()
