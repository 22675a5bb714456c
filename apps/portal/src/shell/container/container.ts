import { environment } from '#lib/environment.ts'
import { read } from '#lib/storage.ts'
import type { Answer, Ask, Container, EventName, IgnoredEvent } from './events.ts'

let opening: Promise<Container> | undefined

/** The program the app runs in; its code is fetched the first time anything is asked of it. */
export function openContainer(): Promise<Container> {
  opening ??= choose().catch((error) => {
    opening = undefined
    throw error
  })
  return opening
}

async function choose(): Promise<Container> {
  if (environment.container === 'superApp') return (await import('./host-app.ts')).openHostApp()
  if (environment.isWeChat) {
    const { inMiniProgram } = await import('./wechat.ts')
    if (await inMiniProgram().catch(() => false))
      return (await import('./mini-program.ts')).miniProgram
  }
  return (await import('./browser.ts')).browser
}

type Given<E extends EventName> =
  Record<never, never> extends Ask<E> ? [data?: Ask<E>] : [data: Ask<E>]

/** Asks the container for something. Rejects with a ContainerError that says why not. */
export async function ask<E extends EventName>(event: E, ...[data]: Given<E>): Promise<Answer<E>> {
  const container = await openContainer()
  return container[event](data ?? {})
}

/** Tells the container something whose failure is nobody's concern. */
export function tell<E extends IgnoredEvent>(event: E, ...given: Given<E>) {
  ask(event, ...given).catch(() => {})
}

/** The container draws a back button of its own. A host app says so when it is first spoken to, and is remembered. */
export const hasOwnBack =
  environment.miniProgram !== null || (environment.isSuperApp && (read('hostBackButton') ?? true))
