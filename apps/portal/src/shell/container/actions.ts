import { m } from '#paraglide/messages.js'
import { notify } from '#ui/feedback/notify.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { callContainer } from './container.ts'
import { ContainerError, type EventData } from './events.ts'

// Container actions started by a tap, with their messages to the user. Must be called directly in the event handler:
// browsers allow sharing and copying only then.

export async function copyText(text: string) {
  try {
    await callContainer('copy', { text })
    toast(m.container_copied())
  } catch {
    toast(m.container_copy_failed())
  }
}

/**
 * Opens the share sheet, or copies the address if there is none. @returns the outcome; undefined if nothing was shared
 */
export async function shareLink(item: EventData<'share'>) {
  try {
    const { done } = await callContainer('share', item)
    if (done === 'copied') toast(m.container_link_copied())
    if (done === 'menu') notify(m.container_share_menu())
    return done
  } catch (error) {
    // No message if the user closed the sheet.
    if (!(error instanceof ContainerError && error.reason === 'refused'))
      toast(m.container_share_failed())
    return undefined
  }
}
