import type { ApiError } from '#lib/api.ts'
import { restoreForm, saveForm } from '#shell/navigation/form-restore.ts'
import { getHistoryEntry } from '#shell/navigation/history.ts'
import { performNavigation } from '#shell/navigation/navigation.ts'

/**
 * If the error asks for confirmation, opens the confirmation page and saves the form values for the return. @returns
 * whether it did
 */
export function confirmFirst(error: ApiError): boolean {
  if (error.code !== 'session.confirmation_due') return false
  saveForm()
  performNavigation(
    'navigate',
    `/pages/modifyPwd/verfityPwd?returnTarget=${encodeURIComponent(getHistoryEntry().href)}`,
  )
  restoreForm()
  return true
}
