import './simulator.css'
import { useRef, useState } from 'react'
import { setLanguage, useLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Card } from '#ui/card.tsx'
import { Button } from '../src/ui/form/button.tsx'
import { Field } from '../src/ui/form/field.tsx'
import { SelectField } from '../src/ui/form/select.tsx'
import { containers, type SimulatedContainer } from './containers.ts'
import { type HostState, initialState } from './host.ts'
import { HostSettings } from './host-settings.tsx'
import { type Entry, Log } from './log.tsx'
import { Stage } from './stage.tsx'

const fields = new URLSearchParams(location.search)
const selected = containers.find(({ id }) => id === fields.get('container'))

/**
 * Simulates the containers that the portal runs in, using the protocol of docs/containers.md, for development, tests
 * and teams that build a host app. `?container=app-ios&address=/pages/set/set` starts with one of them.
 */
export function Simulator() {
  const language = useLanguage()
  const [played, setPlayed] = useState<SimulatedContainer>(
    selected ?? (containers[0] as SimulatedContainer),
  )
  const [address, setAddress] = useState(parseOwnAddress(fields.get('address') ?? '/'))
  const [started, setStarted] = useState({ run: 0, address })
  const host = useHostState()
  const [entries, setEntries] = useState<Entry[]>([])
  const start = () => {
    setEntries([])
    setStarted(({ run }) => ({ run: run + 1, address: parseOwnAddress(address) }))
  }
  const other = language === 'zh' ? 'en' : 'zh'

  return (
    <div className="simulator" key={language}>
      <header className="simulator-head">
        <h1>{m.simulator_title()}</h1>
        <Button
          small
          kind="plain"
          lang={other === 'zh' ? 'zh-CN' : 'en'}
          onClick={() => setLanguage(other)}
        >
          {other === 'zh' ? '中文' : 'English'}
        </Button>
      </header>
      <main className="simulator-parts">
        <Stage
          key={started.run}
          played={played}
          address={started.address}
          host={host}
          setEntries={setEntries}
        />
        <section className="stack" aria-label={m.simulator_settings()}>
          <Card>
            <div className="stack">
              <SelectField
                label={m.simulator_container()}
                value={played.id}
                onValue={(chosenId) => {
                  setPlayed(containers.find(({ id }) => id === chosenId) ?? played)
                  start()
                }}
              >
                {containers.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name()}
                  </option>
                ))}
              </SelectField>
              <Field label={m.simulator_address()} value={address} onValue={setAddress} />
              <Button wide onClick={start}>
                {m.simulator_start()}
              </Button>
              <p className="muted simulator-agent">{played.userAgent}</p>
            </div>
          </Card>
          <HostSettings played={played} state={host.state} change={host.change} />
        </section>
        <Log entries={entries} />
      </main>
    </div>
  )
}

/** The state of the simulated container; `get` returns the latest one, also between two renders. */
function useHostState() {
  const [state, setState] = useState(initialState)
  const latest = useRef(state)
  const change = (more: Partial<HostState>) => {
    latest.current = { ...latest.current, ...more }
    setState(latest.current)
  }
  return { state, change, get: () => latest.current }
}

/** An address of our own origin only: another origin could not access the simulator, and would be framed by it. */
function parseOwnAddress(text: string) {
  try {
    const url = new URL(text, location.origin)
    return url.origin === location.origin ? url.pathname + url.search : '/'
  } catch {
    return '/'
  }
}
