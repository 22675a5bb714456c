import { environment } from '#lib/environment.ts'
import { read } from '#lib/storage.ts'
import type { Answer, Container, EventData, EventName, IgnoredEvent } from './events.ts'

let openedContainer: Promise<Container> | undefined

/** The program the app runs in. Its code is loaded on first use. */
export function openContainer(): Promise<Container> {
  openedContainer ??= chooseContainer().catch((error) => {
    openedContainer = undefined
    throw error
  })
  return openedContainer
}

async function chooseContainer(): Promise<Container> {
  if (environment.container === 'superApp') return (await import('./host-app.ts')).openHostApp()
  if (environment.isWeChat) {
    const { inMiniProgram } = await import('./wechat.ts')
    if (await inMiniProgram().catch(() => false))
      return (await import('./mini-program.ts')).miniProgram
  }
  return (await import('./browser.ts')).browser
}

type DataArgs<E extends EventName> =
  Record<never, never> extends EventData<E> ? [data?: EventData<E>] : [data: EventData<E>]

/** Asks the container for something. Rejects with a ContainerError that gives the reason. */
export async function callContainer<E extends EventName>(
  event: E,
  ...[data]: DataArgs<E>
): Promise<Answer<E>> {
  const container = await openContainer()
  return container[event](data ?? {})
}

/** Sends the container an event and ignores failures. */
export function notifyContainer<E extends IgnoredEvent>(event: E, ...args: DataArgs<E>) {
  callContainer(event, ...args).catch(() => {})
}

/**
 * Whether the container draws its own back button. A host app reports this in its `hello` answer; it is stored for
 * later starts.
 */
export const hasOwnBack =
  environment.miniProgram !== null || (environment.isSuperApp && (read('hostBackButton') ?? true))
