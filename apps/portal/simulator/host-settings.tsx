import { identity } from '@atrium/contract/identity/identity'
import { useEffect, useState } from 'react'
import { call } from '#lib/api.ts'
import { m } from '#paraglide/messages.js'
import { Card } from '#ui/card.tsx'
import { Field } from '../src/ui/form/field.tsx'
import { SelectField } from '../src/ui/form/select.tsx'
import { Switch } from '../src/ui/form/switch.tsx'
import type { SimulatedContainer } from './containers.ts'
import type { HostState } from './host.ts'

type HostSettingsProps = {
  played: SimulatedContainer
  state: HostState
  change: (change: Partial<HostState>) => void
}

/** The answers of the simulated container. */
export function HostSettings({ played, state, change }: HostSettingsProps) {
  if (played.plays === 'nothing') return null
  if (played.plays !== 'hostApp') {
    return (
      <Card title={m.simulator_answers()}>
        <Scanned state={state} change={change} />
      </Card>
    )
  }
  return (
    <Card title={m.simulator_answers()}>
      <div className="stack">
        <Account change={change} signedIn={state.idToken !== ''} />
        <Switch
          label={m.simulator_speaks()}
          checked={state.speaks}
          onChange={(speaks) => change({ speaks })}
        />
        <Switch
          label={m.simulator_own_back()}
          checked={state.backButton}
          onChange={(backButton) => change({ backButton })}
        />
        <Switch label={m.simulator_vpn()} checked={state.vpn} onChange={(vpn) => change({ vpn })} />
        <Switch
          label={m.simulator_grants()}
          checked={state.grants}
          onChange={(grants) => change({ grants })}
        />
        <Field
          label={m.simulator_version()}
          value={state.appVersion}
          onValue={(appVersion) => change({ appVersion })}
        />
        <Field
          label={m.simulator_new_version()}
          hint={m.simulator_new_version_hint()}
          value={state.newVersion}
          onValue={(newVersion) => change({ newVersion })}
        />
        <Field
          label={m.simulator_cache()}
          type="number"
          min={0}
          value={String(state.cacheBytes)}
          onValue={(bytes) => change({ cacheBytes: Number(bytes) })}
        />
        <Scanned state={state} change={change} />
      </div>
    </Card>
  )
}

const Scanned = ({ state, change }: Pick<HostSettingsProps, 'state' | 'change'>) => (
  <Field
    label={m.simulator_scanned()}
    hint={m.simulator_scanned_hint()}
    value={state.scanned}
    onValue={(scanned) => change({ scanned })}
  />
)

type DemoAccount = { username: string; name: string; password: string }

/** The account signed in to the simulated app, whose token it hands over. */
function Account({ change, signedIn }: { change: HostSettingsProps['change']; signedIn: boolean }) {
  const [accounts, setAccounts] = useState<DemoAccount[]>([])
  const [chosen, setChosen] = useState('')
  useEffect(() => {
    call(identity.configs).then(
      ({ demoAccounts }) => setAccounts(demoAccounts),
      () => {},
    )
  }, [])
  const choose = async (username: string) => {
    setChosen(username)
    const account = accounts.find((known) => known.username === username)
    if (!account) return change({ idToken: '' })
    const answer = await call(identity.passwordLogin, {
      body: { username, password: account.password },
    })
    if ('idToken' in answer) change({ idToken: answer.idToken })
  }
  return (
    <SelectField
      label={m.simulator_account()}
      value={signedIn || chosen === '' ? chosen : ''}
      onValue={(username) => void choose(username)}
    >
      <option value="">{m.simulator_nobody()}</option>
      {accounts.map(({ username, name }) => (
        <option key={username} value={username}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}
