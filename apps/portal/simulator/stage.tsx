import { useEffect, useRef, useState } from 'react'
import { m } from '#paraglide/messages.js'
import { ContainerError } from '#shell/container/events.ts'
import { type Conversation, startConversation } from '#shell/container/protocol.ts'
import { Button } from '../src/ui/form/button.tsx'
import { IconButton } from '../src/ui/form/icon-button.tsx'
import { Icon } from '../src/ui/media/icon.tsx'
import type { SimulatedContainer } from './containers.ts'
import { type HostState, playHostApp } from './host.ts'
import type { Entry } from './log.tsx'
import { playWeChat, readWxCall } from './wechat.ts'

export type Host = {
  state: HostState
  get: () => HostState
  change: (change: Partial<HostState>) => void
}
/** The events an app sends on its own, as listed in docs/containers.md. */
const events = {
  back: m.simulator_say_back,
  hidden: m.simulator_say_hidden,
  shown: m.simulator_say_shown,
}

type SetEntries = (change: (entries: Entry[]) => Entry[]) => void
type StageProps = {
  played: SimulatedContainer
  address: string
  host: Host
  setEntries: SetEntries
}

/** One run of the portal inside a container, with their conversation. */
export function Stage({ played, address, host, setEntries }: StageProps) {
  const { plays } = played
  const { speaks, backButton, badge } = host.state
  const frame = useRef<HTMLIFrameElement>(null)
  const sendEvent = useConversation(frame, played, host, setEntries)
  const [unseen, setUnseen] = useState(false)
  const back = () => {
    // WeChat goes back in the page's history itself, and so does an app without the protocol.
    if (plays === 'hostApp' && speaks) sendEvent('back')
    else frame.current?.contentWindow?.history.back()
  }
  return (
    <section className="simulator-phone" aria-label={m.simulator_phone()}>
      {plays === 'hostApp' ? (
        <p className="simulator-icon">
          <Icon name="mobile" />
          <output aria-label={m.simulator_badge()}>{badge}</output>
        </p>
      ) : null}
      <div className="simulator-screen">
        {plays === 'miniProgram' || (plays === 'hostApp' && backButton) ? (
          <div className="simulator-bar">
            <IconButton label={m.simulator_back()} onClick={back}>
              <Icon name="back" />
            </IconButton>
            <span>{played.name()}</span>
          </div>
        ) : null}
        {unseen ? (
          <p className="simulator-unseen" role="status">
            {m.simulator_unseen()}
          </p>
        ) : null}
        <iframe
          ref={frame}
          // A page that refused framing has no readable document: the browser shows its own error page.
          onLoad={({ currentTarget }) => setUnseen(currentTarget.contentDocument === null)}
          title={m.simulator_frame()}
          src={address}
          data-user-agent={played.userAgent}
          data-wechat-script="/simulator/wx.js"
          allow="camera; geolocation; clipboard-write; web-share; accelerometer; gyroscope"
        />
      </div>
      {plays === 'hostApp' ? (
        <fieldset className="simulator-buttons" aria-label={m.simulator_says()}>
          {Object.entries(events).map(([event, name]) => (
            <Button key={event} small kind="plain" onClick={() => sendEvent(event)}>
              {name()}
            </Button>
          ))}
        </fieldset>
      ) : null}
    </section>
  )
}

type Frame = React.RefObject<HTMLIFrameElement | null>

/** The container's side of the conversation; logs every message. */
function useConversation(
  frame: Frame,
  { plays }: SimulatedContainer,
  { get, change }: Host,
  setEntries: SetEntries,
) {
  const conversation = useRef<Conversation>(null)
  const side = useRef({ get, change })
  side.current = { get, change }

  useEffect(() => {
    const send = (text: string) => frame.current?.contentWindow?.postMessage(text, location.origin)
    const host = playHostApp(side.current)
    const current = startConversation(send, (event, data, key) =>
      logRequest(setEntries, 'portal', event, data, async () => host(event, data, key)),
    )
    conversation.current = current

    async function answerWx(name: string, id: string, data: unknown) {
      const inside = plays === 'miniProgram'
      try {
        const result = await logRequest(setEntries, 'portal', `wx.${name}`, data, async () =>
          playWeChat(name, data, inside, side.current.get()),
        )
        send(JSON.stringify({ wx: name, id, result }))
      } catch (error) {
        send(JSON.stringify({ wx: name, id, error: String(error) }))
      }
    }
    const receive = ({ source, origin, data }: MessageEvent) => {
      if (source !== frame.current?.contentWindow || origin !== location.origin) return
      const call = readWxCall(data)
      if (call) void answerWx(call.name, call.id, call.data)
      else if (plays === 'hostApp') current.receive(data)
    }
    addEventListener('message', receive)
    return () => removeEventListener('message', receive)
  }, [frame, plays, setEntries])

  return (event: string) => {
    const request = async () => conversation.current?.request(event, {}, 2000)
    logRequest(setEntries, 'container', event, {}, request).catch(() => {})
  }
}

let count = 0

/** Logs a request and then its answer, newest first. */
async function logRequest(
  setEntries: SetEntries,
  from: Entry['from'],
  name: string,
  data: unknown,
  request: () => Promise<unknown>,
) {
  const entry: Entry = { id: ++count, from, name, data }
  setEntries((entries) => [entry, ...entries].slice(0, 200))
  const complete = (more: Partial<Entry>) =>
    setEntries((entries) =>
      entries.map((known) => (known.id === entry.id ? { ...known, ...more } : known)),
    )
  try {
    const answer = await request()
    complete({ answer })
    return answer
  } catch (error) {
    complete({ error: error instanceof ContainerError ? error.reason : String(error) })
    throw error
  }
}
