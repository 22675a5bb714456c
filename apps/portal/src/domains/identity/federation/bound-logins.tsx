import './bind-account-page.css'
import type { Static } from '@atrium/contract/define'
import { type FederatedIdentity, federation } from '@atrium/contract/identity/federation'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isUsable, useLoginConfigs } from '#domains/identity/login/login-queries.ts'
import { formatDay } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { leaveTo } from '#shell/navigation/page-exit.ts'
import { useAction } from '#shell/page/action.ts'
import { confirmFirst } from '#shell/page/confirmation.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { startAddress } from './begin.ts'
import { linksPage } from './link-login.tsx'

type Bound = Static<typeof FederatedIdentity>
const nameOf = ({ providerName, providerNameEn }: Bound) => inLanguage(providerName, providerNameEn)

/**
 * The bound external logins, with unbinding and binding more.
 * @param confirm opens the confirmation page if needed; returns whether it did
 */
export function BoundLogins({ confirm }: { confirm: () => boolean }) {
  const identities = useQuery(q(federation.identities))
  const [selected, setSelected] = useState<Bound>()
  return (
    <QueryView query={identities} skeleton={<Skeleton rows={1} label={m.shell_loading()} />}>
      {(list) => (
        <>
          {list.length === 0 ? null : (
            <Card title={m.federation_bound()}>
              <ul aria-label={m.federation_bound()}>
                {list.map((one) => (
                  <li key={one.id} className="federation-line">
                    <span className="federation-line-words">
                      {nameOf(one)}
                      <span className="muted">
                        {one.enabled
                          ? m.federation_bound_as({
                              display: one.display || '—',
                              date: formatDay(one.createdAt),
                            })
                          : m.federation_bound_off()}
                      </span>
                    </span>
                    <Button kind="plain" small onClick={() => setSelected(one)}>
                      {m.federation_unbind()}
                    </Button>
                  </li>
                ))}
              </ul>
              <Unbind login={selected} onClose={() => setSelected(undefined)} />
            </Card>
          )}
          <UnboundLogins bound={list} confirm={confirm} />
        </>
      )}
    </QueryView>
  )
}

/**
 * The other external logins that the institution offers. After signing in there, the member confirms the binding here.
 */
function UnboundLogins({ bound, confirm }: { bound: readonly Bound[]; confirm: () => boolean }) {
  const offered = useLoginConfigs().data?.providers ?? []
  const more = offered.filter(
    ({ code, kind }) => isUsable[kind] && !bound.some(({ provider }) => provider === code),
  )
  if (more.length === 0) return null
  return (
    <Card title={m.federation_more()}>
      <ul aria-label={m.federation_more()}>
        {more.map(({ code, name, nameEn }) => (
          <li key={code} className="federation-line">
            <span className="federation-line-words">{inLanguage(name, nameEn)}</span>
            <Button
              kind="plain"
              small
              aria-label={m.federation_link_of({ provider: inLanguage(name, nameEn) })}
              onClick={() => confirm() || leaveTo(startAddress(code, linksPage))}
            >
              {m.federation_link()}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Unbind({ login: selected, onClose }: { login: Bound | undefined; onClose: () => void }) {
  // Keeps the text while the dialog closes.
  const [shown, setShown] = useState(selected)
  if (selected && selected !== shown) setShown(selected)
  const { mutate, isPending } = useAction(federation.unbind, {
    invalidates: [federation.identities],
    done() {
      onClose()
      toast(m.federation_unbound())
    },
    failed(error) {
      onClose()
      return confirmFirst(error)
    },
  })
  return (
    <Dialog
      open={selected !== undefined}
      onClose={onClose}
      title={m.federation_unbind_title({ provider: shown ? nameOf(shown) : '' })}
      actions={
        <>
          <Button kind="plain" onClick={onClose}>
            {m.federation_keep()}
          </Button>
          <Button
            kind="danger"
            busy={isPending}
            onClick={() => selected && mutate({ params: { id: selected.id } })}
          >
            {m.federation_unbind_now()}
          </Button>
        </>
      }
    >
      {m.federation_unbind_text()}
    </Dialog>
  )
}
