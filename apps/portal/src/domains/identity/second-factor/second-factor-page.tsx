import './second-factor.css'
import {
  type SecondFactors,
  secondFactor,
  type TotpEnrolment,
} from '@atrium/contract/identity/second-factor'
import { useState } from 'react'
import { formatDay } from '#lib/format.ts'
import { useSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { LinkRow } from '#shell/navigation/link-row.tsx'
import { useAction } from '#shell/page/action.ts'
import { confirmFirst } from '#shell/page/confirmation.ts'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Dialog, Sheet } from '#ui/feedback/dialog.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { RowList } from '#ui/list-row.tsx'
import { Pill } from '#ui/pill.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { shownFactors, useFactors } from './second-factor-queries.ts'
import { TotpSetup } from './totp-setup.tsx'

/** The member's second factors. */
export default function SecondFactorPage() {
  const factors = useFactors()
  const [codes, setCodes] = useState<string[]>([])
  const username = useSession()?.username
  return (
    <Page onRefresh={() => factors.refetch()}>
      <div className="column stack">
        <QueryView query={factors} skeleton={<Skeleton height={420} label={m.shell_loading()} />}>
          {(data) => (
            <>
              <State factors={data} />
              <TotpCard factors={data} onCodes={setCodes} />
              <RowList>
                <LinkRow
                  to="/pagesA/safeSet/passkeys"
                  icon="key"
                  value={
                    data.passkeys.length > 0
                      ? m.second_factor_passkey_count({ count: data.passkeys.length })
                      : m.second_factor_none()
                  }
                >
                  {m.second_factor_passkey()}
                </LinkRow>
              </RowList>
              {isOn(data) ? <CodesCard factors={data} onCodes={setCodes} /> : null}
            </>
          )}
        </QueryView>
      </div>
      <Sheet
        open={codes.length > 0}
        onClose={() => toast(m.second_factor_codes_first())}
        title={m.second_factor_codes()}
      >
        <RecoveryCodes codes={codes} username={username} onSaved={() => setCodes([])} />
      </Sheet>
    </Page>
  )
}

const isOn = ({ totp, passkeys }: SecondFactors) => totp !== null || passkeys.length > 0

function State({ factors }: { factors: SecondFactors }) {
  return (
    <Card
      title={m.second_factor_title()}
      aside={
        isOn(factors) ? (
          <Pill tone="green">{m.second_factor_on()}</Pill>
        ) : (
          <Pill tone="amber">{m.second_factor_off()}</Pill>
        )
      }
    >
      <p className="factor-text">{m.second_factor_about()}</p>
      {factors.required ? <p className="muted">{m.second_factor_required()}</p> : null}
    </Card>
  )
}

type PartProps = { factors: SecondFactors; onCodes: (codes: string[]) => void }

function TotpCard({ factors: { totp }, onCodes }: PartProps) {
  const [setup, setSetup] = useState<TotpEnrolment>()
  const [removing, setRemoving] = useState(false)
  const [problem, setProblem] = useState('')
  const begin = useAction(secondFactor.beginTotp, { done: setSetup, failed: confirmFirst })
  const add = useAction(secondFactor.addTotp, {
    done({ recoveryCodes }) {
      setSetup(undefined)
      if (recoveryCodes.length > 0) onCodes(recoveryCodes)
      else toast(m.second_factor_totp_added())
    },
    failed(error) {
      setProblem(error.message)
      return true
    },
    invalidates: shownFactors,
  })
  const remove = useAction(secondFactor.removeTotp, {
    done: () => {
      setRemoving(false)
      toast(m.second_factor_totp_removed())
    },
    failed(error) {
      setRemoving(false)
      return confirmFirst(error)
    },
    invalidates: shownFactors,
  })
  const start = () => {
    setProblem('')
    begin.mutate({})
  }
  return (
    <Card title={m.second_factor_totp()}>
      <p className="factor-text">{m.second_factor_totp_text()}</p>
      {totp ? (
        <p className="muted num">
          {m.second_factor_added_on({ date: formatDay(totp.createdAt) })}
          {totp.lastUsedAt
            ? ` · ${m.second_factor_used_on({ date: formatDay(totp.lastUsedAt) })}`
            : null}
        </p>
      ) : null}
      <div className="factor-buttons">
        <Button kind={totp ? 'plain' : 'primary'} small busy={begin.isPending} onClick={start}>
          {totp ? m.second_factor_totp_change() : m.second_factor_totp_add()}
        </Button>
        {totp ? (
          <Button kind="danger" small onClick={() => setRemoving(true)}>
            {m.second_factor_remove()}
          </Button>
        ) : null}
      </div>
      <Sheet
        open={setup !== undefined}
        onClose={() => setSetup(undefined)}
        title={m.second_factor_totp_add()}
      >
        {setup ? (
          <TotpSetup
            setup={setup}
            busy={add.isPending}
            problem={problem}
            onCode={(code) => add.mutate({ body: { enrolment: setup.enrolment, code } })}
          />
        ) : null}
      </Sheet>
      <Dialog
        open={removing}
        onClose={() => setRemoving(false)}
        title={m.second_factor_totp_remove_title()}
        actions={
          <>
            <Button kind="plain" onClick={() => setRemoving(false)}>
              {m.ui_cancel()}
            </Button>
            <Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate({})}>
              {m.second_factor_remove()}
            </Button>
          </>
        }
      >
        {m.second_factor_totp_remove_text()}
      </Dialog>
    </Card>
  )
}

function CodesCard({ factors: { recoveryCodesLeft }, onCodes }: PartProps) {
  const [isConfirming, setIsConfirming] = useState(false)
  const renew = useAction(secondFactor.renewRecoveryCodes, {
    done({ recoveryCodes }) {
      setIsConfirming(false)
      onCodes(recoveryCodes)
    },
    failed(error) {
      setIsConfirming(false)
      return confirmFirst(error)
    },
    invalidates: shownFactors,
  })
  return (
    <Card
      title={m.second_factor_codes()}
      aside={
        <Pill tone={recoveryCodesLeft > 3 ? 'blue' : 'amber'}>
          {m.second_factor_codes_left({ count: recoveryCodesLeft })}
        </Pill>
      }
    >
      <p className="factor-text">{m.second_factor_codes_text()}</p>
      <div className="factor-buttons">
        <Button kind="plain" small onClick={() => setIsConfirming(true)}>
          {m.second_factor_codes_renew()}
        </Button>
      </div>
      <Dialog
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        title={m.second_factor_codes_renew_title()}
        actions={
          <>
            <Button kind="plain" onClick={() => setIsConfirming(false)}>
              {m.ui_cancel()}
            </Button>
            <Button busy={renew.isPending} onClick={() => renew.mutate({})}>
              {m.second_factor_codes_renew()}
            </Button>
          </>
        }
      >
        {m.second_factor_codes_renew_text()}
      </Dialog>
    </Card>
  )
}
