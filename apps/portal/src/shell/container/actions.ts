import { m } from '#paraglide/messages.js'
import { notify } from '#ui/feedback/notify.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { ask } from './container.ts'
import { type Ask, ContainerError } from './events.ts'

// What people ask the container for by a tap, with what they are told about it. To be called in the tap itself: browsers
// share and copy only then.

export async function copyText(text: string) {
  try {
    await ask('copy', { text })
    toast(m.container_copied())
  } catch {
    toast(m.container_copy_failed())
  }
}

/** By the share sheet, else the address is copied. @returns what came of it; nothing where nothing was shared */
export async function shareLink(item: Ask<'share'>) {
  try {
    const { done } = await ask('share', item)
    if (done === 'copied') toast(m.container_link_copied())
    if (done === 'menu') notify(m.container_share_menu())
    return done
  } catch (error) {
    // Whoever closes the sheet knows that nothing was shared.
    if (!(error instanceof ContainerError && error.reason === 'refused'))
      toast(m.container_share_failed())
    return undefined
  }
}
