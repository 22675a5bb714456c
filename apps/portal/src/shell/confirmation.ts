import type { ApiError } from '#lib/api.ts'
import { getPlace } from './history.ts'
import { go } from './navigation.ts'

/** Leads to the confirmation and back where a change asks for one. @returns whether it did */
export function confirmFirst(error: ApiError): boolean {
  if (error.code !== 'session.confirmation_due') return false
  go('navigate', `/pages/modifyPwd/verfityPwd?returnTarget=${encodeURIComponent(getPlace().href)}`)
  return true
}
