import { m } from '#paraglide/messages.js'

export type Kind = 'mobile' | 'email'

/** Texts for the two kinds of contacts: mobile number and mail address. */
export const contactTexts = {
  mobile: {
    name: m.account_mobile,
    fresh: m.account_new_mobile,
    missing: m.account_mobile_missing,
    current: m.account_mobile_current,
    prove: m.account_prove_mobile,
    other: m.account_by_mobile,
    changed: m.account_mobile_changed,
    remove: m.account_mobile_remove,
    removeText: m.account_mobile_remove_text,
    removed: m.account_mobile_removed,
  },
  email: {
    name: m.account_email,
    fresh: m.account_new_email,
    missing: m.account_email_missing,
    current: m.account_email_current,
    prove: m.account_prove_email,
    other: m.account_by_email,
    changed: m.account_email_changed,
    remove: m.account_email_remove,
    removeText: m.account_email_remove_text,
    removed: m.account_email_removed,
  },
} as const
