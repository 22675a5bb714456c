/** What people try first when they guess: the heads of published lists, international and Chinese. */
const commonest = new Set(
  `12345678 123456789 1234567890 87654321 00000000 11111111 66666666 88888888 99999999 12341234 11223344 123123123 147258369
  password passw0rd password1 password123 p@ssw0rd iloveyou sunshine princess football baseball superman trustno1 whatever
  qwertyui qwertyuiop qwerty123 1q2w3e4r 1qaz2wsx q1w2e3r4 asdfghjkl zxcvbnm1 abcd1234 abc12345 abc123456 a1234567 a12345678
  aa123456 aa12345678 123456aa 123456abc qq123456 zz123456 wang1234 woaini1314 woaini520 5201314520 1314520520 5201314a
  welcome1 welcome123 changeme admin123 admin888 administrator letmein1 root1234 test1234 student1 teacher1 campus123`
    .split(/\s+/)
    .filter(Boolean),
)

/** What is wrong with a new password, in a sentence for the person who chose it; nothing when it may be used. */
export function passwordFault(password: string, username: string): string | undefined {
  const length = [...password].length
  if (length < 8) return 'A password needs at least 8 characters.'
  if (length > 200) return 'A password may have 200 characters at most.'
  const lower = password.toLowerCase()
  if (commonest.has(lower) || new Set(lower).size < 3)
    return 'This password is one of those that are tried first. Choose another.'
  if (username.length >= 4 && lower.includes(username.toLowerCase()))
    return 'A password must not contain the username.'
  return undefined
}
