import { useState } from 'react'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { copyText } from '#shell/container/actions.ts'
import { Button } from '#ui/form/button.tsx'
import { Switch } from '#ui/form/switch.tsx'
import { Icon } from '#ui/media/icon.tsx'

type RecoveryCodesProps = { codes: string[]; username?: string; onSaved: () => void }

/** Shows the recovery codes, once, with three ways to save them. */
export function RecoveryCodes({ codes, username = '', onSaved }: RecoveryCodesProps) {
  const [saved, setSaved] = useState(false)
  const { school } = useSystem()
  const text = [
    `${school} · ${m.second_factor_codes()}${username ? ` · ${username}` : ''}`,
    '',
    ...codes,
    '',
    m.second_factor_codes_once(),
  ].join('\r\n')
  return (
    <div className="factor-codes">
      <p>{m.second_factor_codes_save()}</p>
      <ul className="factor-code-list num" aria-label={m.second_factor_codes()}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="factor-buttons">
        <Button kind="plain" small onClick={() => void copyText(codes.join('\n'))}>
          <Icon name="file" />
          {m.second_factor_copy()}
        </Button>
        <a
          className="button button-plain button-small"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download={`${m.second_factor_codes()}.txt`}
        >
          <Icon name="download" />
          {m.second_factor_download()}
        </a>
        <Button kind="plain" small onClick={printCodes}>
          <Icon name="printer" />
          {m.second_factor_print()}
        </Button>
      </div>
      <Switch label={m.second_factor_codes_kept()} checked={saved} onChange={setSaved} />
      <Button wide disabled={!saved} onClick={onSaved}>
        {m.second_factor_continue()}
      </Button>
    </div>
  )
}

function printCodes() {
  document.documentElement.dataset.printing = 'codes'
  print()
  delete document.documentElement.dataset.printing
}
