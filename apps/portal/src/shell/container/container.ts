import { environment } from '#lib/environment.ts'
import { read } from '#lib/storage.ts'
import type { Answer, Ask, Container, EventName, IgnoredEvent } from './events.ts'

let opening: Promise<Container> | undefined

/** The program the app runs in. Its code is loaded on first use. */
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

/** Asks the container for something. Rejects with a ContainerError that gives the reason. */
export async function ask<E extends EventName>(event: E, ...[data]: Given<E>): Promise<Answer<E>> {
  const container = await openContainer()
  return container[event](data ?? {})
}

/** Sends the container an event and ignores failures. */
export function tell<E extends IgnoredEvent>(event: E, ...given: Given<E>) {
  ask(event, ...given).catch(() => {})
}

/**
 * Whether the container draws its own back button. A host app reports this in its `hello` answer; it is stored for
 * later starts.
 */
export const hasOwnBack =
  environment.miniProgram !== null || (environment.isSuperApp && (read('hostBackButton') ?? true))
