import { focusManager } from '@tanstack/react-query'
import { write } from '#lib/storage.ts'
import { back, depth } from '#shell/navigation/navigation.ts'
import { answers, eventNames, field, flag, text } from './answers.ts'
import { browser } from './browser.ts'
import { type Ask, type Container, ContainerError, type EventName } from './events.ts'
import { findDoor } from './host-channel.ts'
import { converse, version } from './protocol.ts'

/** A host app that does not answer in this time speaks no version of the protocol. */
const helloLimit = 3000

/** The host app around the page. Where none answers, or it does not know an event, the page does what it can itself. */
export async function openHostApp(): Promise<Container> {
  const door = findDoor()
  if (!door) return browser
  const talk = converse(door.send, answerHost)
  door.listen(talk.receive)
  let host: Host
  try {
    host = readHello(await talk.ask('hello', { versions: [version] }, helloLimit))
  } catch {
    return browser
  }
  talk.setKey(host.key)
  write('hostBackButton', host.backButton)

  const asking = <E extends EventName>(name: E) => {
    const { limit, read } = answers[name]
    return async (data: Ask<E>) => {
      const given = await talk.ask(name, data, limit)
      try {
        return read(given)
      } catch (error) {
        throw new ContainerError('failed', `${name}: ${error}`)
      }
    }
  }
  const known = eventNames.filter((name) => host.events.includes(name))
  return { ...browser, ...Object.fromEntries(known.map((name) => [name, asking(name)])) }
}

type Host = { key: string; events: unknown[]; backButton: boolean }

function readHello(given: unknown): Host {
  if (field(given, 'version') !== version) throw new TypeError('another version')
  const events = field(given, 'events')
  return {
    key: text(field(given, 'key'), 200),
    events: Array.isArray(events) ? events : [],
    backButton: flag(field(given, 'backButton')),
  }
}

/** What the host app tells and asks the page. */
function answerHost(event: string) {
  if (event === 'back') return { handled: goBack() }
  // Hidden, it asks the server nothing; shown again, what is out of date is fetched.
  if (event === 'shown') return void focusManager.setFocused(true)
  if (event === 'hidden') return void focusManager.setFocused(false)
  throw new ContainerError('unsupported', event)
}

/** The device's back: closes what lies on top, else goes a page back; on the first page it is the host app's. */
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
