/** `13800000001` → `138****0001`; of shorter numbers only the last two digits are shown. */
export const hideMobile = (mobile: string) =>
  mobile.length >= 11
    ? `${mobile.slice(0, -8)}****${mobile.slice(-4)}`
    : mobile.replace(/.(?=..)/g, '*')

/** `lin.zhixia@example.edu` → `l***a@example.edu` */
export const hideEmail = (email: string) => email.replace(/^(.).*?(.?)@/, '$1***$2@')
