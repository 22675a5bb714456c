const slash = '(?:/|%2[fF]|%5[cC])'
/**
 * A path of our own origin that means what it says, so that it may be kept, as a pattern: one slash, and no `.` or `..` in its
 * way, which a browser would resolve to another host's address; nor behind an encoding that somebody on the way takes off.
 */
export const ownPath = `/(?!${slash})(?!(?:[^?#]*${slash})?(?:\\.|%2[eE]){1,2}(?:${slash}|[?#]|$))[^\\s\\\\\\u0000-\\u001f\\u007f]*`

const whole = new RegExp(`^${ownPath}$`, 'u')
export const isOwnPath = (text: string) => whole.test(text)
