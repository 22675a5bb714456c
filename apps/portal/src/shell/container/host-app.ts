import { focusManager } from '@tanstack/react-query'
import { write } from '#lib/storage.ts'
import { back, depth } from '#shell/navigation/navigation.ts'
import { answers, eventNames, field, flag, text } from './answers.ts'
import { browser } from './browser.ts'
import { type Container, ContainerError, type EventData, type EventName } from './events.ts'
import { findHostChannel } from './host-channel.ts'
import { startConversation, version } from './protocol.ts'

/** Milliseconds. A host app that does not answer `hello` in this time does not support the protocol. */
const helloLimit = 3000

/**
 * The host app around the page. If it does not answer, or does not know an event, the browser implementation is used.
 */
export async function openHostApp(): Promise<Container> {
  const channel = findHostChannel()
  if (!channel) return browser
  const conversation = startConversation(channel.send, handleHostEvent)
  channel.listen(conversation.receive)
  let host: Host
  try {
    host = readHello(await conversation.request('hello', { versions: [version] }, helloLimit))
  } catch {
    return browser
  }
  conversation.setKey(host.key)
  write('hostBackButton', host.backButton)

  const createRequest = <E extends EventName>(name: E) => {
    const { limit, read } = answers[name]
    return async (data: EventData<E>) => {
      const answer = await conversation.request(name, data, limit)
      try {
        return read(answer)
      } catch (error) {
        throw new ContainerError('failed', `${name}: ${error}`)
      }
    }
  }
  const supported = eventNames.filter((name) => host.events.includes(name))
  return { ...browser, ...Object.fromEntries(supported.map((name) => [name, createRequest(name)])) }
}

type Host = { key: string; events: unknown[]; backButton: boolean }

function readHello(answer: unknown): Host {
  if (field(answer, 'version') !== version) throw new TypeError('another version')
  const events = field(answer, 'events')
  return {
    key: text(field(answer, 'key'), 200),
    events: Array.isArray(events) ? events : [],
    backButton: flag(field(answer, 'backButton')),
  }
}

/** Handles the events that the host app sends to the page. */
function handleHostEvent(event: string) {
  if (event === 'back') return { handled: goBack() }
  // While hidden the page makes no requests; when shown again, stale queries are refetched.
  if (event === 'shown') return void focusManager.setFocused(true)
  if (event === 'hidden') return void focusManager.setFocused(false)
  throw new ContainerError('unsupported', event)
}

/**
 * The device's back button: closes the top dialog, otherwise goes back one page. On the first page the host app handles
 * it.
 */
function goBack() {
  const dialog = document.querySelector('[role=dialog], [role=alertdialog]')
  if (dialog) {
    dialog.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    return true
  }
  if (depth() === 0) return false
  back()
  return true
}
