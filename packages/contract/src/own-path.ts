const slash = '(?:/|%2[fF]|%5[cC])'
/**
 * Pattern of a same-origin path that is safe to store: one leading slash, and no `.` or `..` segments, which a browser
 * could resolve to another host's address; nor any hidden by an encoding that an intermediary decodes.
 */
export const ownPath = `/(?!${slash})(?!(?:[^?#]*${slash})?(?:\\.|%2[eE]){1,2}(?:${slash}|[?#]|$))[^\\s\\\\\\u0000-\\u001f\\u007f]*`

const whole = new RegExp(`^${ownPath}$`, 'u')
export const isOwnPath = (text: string) => whole.test(text)
