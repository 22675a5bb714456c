import type { Language } from '@atrium/contract/error-texts'
import { notifyPerson } from '#domains/identity/members/notify-person.ts'
import type { Db } from '#platform/database/db.ts'

const texts: Record<Language, Record<'bound' | 'unbound', (name: string) => string>> = {
  zh: {
    bound: (name) => `已绑定“${name}”，以后可以用它登录`,
    unbound: (name) => `已解除绑定“${name}”，不能再用它登录`,
  },
  en: {
    bound: (name) => `${name} was linked. You can sign in with it from now on.`,
    unbound: (name) => `${name} was unlinked. You can no longer sign in with it.`,
  },
}

const undo: Record<Language, string> = {
  zh: '，在“登录方式”中解除绑定',
  en: ', unlink it under “Ways to sign in”',
}

/** Notifies the person, in the caller's transaction. */
export const notifyBindingChange = (
  db: Db,
  personId: string,
  what: 'bound' | 'unbound',
  { name, nameEn }: { name: string; nameEn: string },
  language: Language,
) =>
  notifyPerson(db, personId, {
    language,
    what: texts[language][what](language === 'en' ? nameEn || name : name),
    undo: undo[language],
  })
