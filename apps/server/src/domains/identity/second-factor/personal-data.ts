import type { PersonalData } from '#platform/personal-data.ts'

export const secondFactorPersonalData: PersonalData = {
  totp: {
    column: 'person_id',
    title: { zh: '验证器', en: 'Authenticator app' },
    hide: ['person_id', 'secret', 'last_step'],
    closing: 'delete',
  },
  recovery_code: { column: 'person_id', untold: 'secrets', closing: 'delete' },
  passkey: {
    column: 'person_id',
    title: { zh: '通行密钥', en: 'Passkeys' },
    hide: ['id', 'person_id', 'credential_id', 'public_key', 'counter', 'user_handle'],
    closing: 'delete',
  },
}
