import './delegations.css'
import { type Delegation, delegations } from '@atrium/contract/work/delegations'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDay } from '#lib/format.ts'
import { inLanguage, userTextLang } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { useAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { Card } from '#ui/card.tsx'
import { Facts } from '#ui/facts.tsx'
import { Dialog, Sheet } from '#ui/feedback/dialog.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { Pill } from '#ui/pill.tsx'
import { UserText } from '#ui/user-text.tsx'
import { DelegationForm } from './delegation-form.tsx'

/** Delegations of tasks, given and received. */
export default function DelegationsPage() {
  const query = useQuery(q(delegations.list))
  const [writing, setWriting] = useState(false)
  return (
    <Page onRefresh={() => query.refetch()}>
      <div className="column stack">
        <QueryView
          query={query}
          skeleton={<Skeleton rows={3} height={96} label={m.shell_loading()} />}
        >
          {({ given, received, sources, policy }) => (
            <>
              <Card>
                <p>{policy.allowed ? m.delegations_text() : m.delegations_not_allowed()}</p>
              </Card>
              {writing ? (
                <DelegationForm
                  sources={sources}
                  policy={policy}
                  onDone={() => setWriting(false)}
                />
              ) : policy.allowed ? (
                <Button wide onClick={() => setWriting(true)}>
                  {m.delegations_new()}
                </Button>
              ) : null}
              {given.length > 0 ? (
                <Card title={m.delegations_given()}>
                  <ul className="delegations">
                    {given.map((one) => (
                      <GivenDelegation key={one.id} delegation={one} />
                    ))}
                  </ul>
                </Card>
              ) : null}
              {received.length > 0 ? (
                <Card title={m.delegations_received()}>
                  <ul className="delegations">
                    {received.map((one) => (
                      <li key={one.id} className="delegation">
                        <Head delegation={one} names={inLanguage(one.person, one.personEn)} />
                      </li>
                    ))}
                  </ul>
                </Card>
              ) : null}
              {given.length === 0 && received.length === 0 && !writing ? (
                <Card>
                  <Empty icon="people" title={m.delegations_none()} />
                </Card>
              ) : null}
            </>
          )}
        </QueryView>
      </div>
    </Page>
  )
}

function Head({ delegation, names }: { delegation: Delegation; names: string }) {
  return (
    <>
      <p className="delegation-head">
        <span className="delegation-names" lang={userTextLang(names)}>
          {names}
        </span>
        <Pill tone={delegation.state === 'active' ? 'green' : 'blue'}>
          {stateName(delegation.state)}
        </Pill>
      </p>
      <p className="muted num">
        {m.delegations_days({
          from: formatDay(`${delegation.startsOn}T00:00`),
          until: formatDay(`${delegation.endsOn}T00:00`),
        })}
      </p>
      <p className="muted">
        {delegation.sources.length > 0 ? (
          <UserText>{delegation.sources.join(m.todos_separator())}</UserText>
        ) : (
          m.delegations_all()
        )}
      </p>
      {delegation.note ? (
        <p className="delegation-note" lang={userTextLang(delegation.note)}>
          {delegation.note}
        </p>
      ) : null}
    </>
  )
}

function GivenDelegation({ delegation }: { delegation: Delegation }) {
  const [shown, setShown] = useState<'handled' | 'end'>()
  const close = () => setShown(undefined)
  const { mutate, isPending } = useAction(delegations.end, {
    invalidates: [delegations.list],
    done: () => {
      close()
      toast(m.delegations_ended())
    },
  })
  return (
    <li className="delegation">
      <Head
        delegation={delegation}
        names={delegation.people
          .map(({ name, nameEn }) => inLanguage(name, nameEn))
          .join(m.todos_separator())}
      />
      <p className="delegation-actions">
        {delegation.handled > 0 ? (
          <Button kind="plain" small onClick={() => setShown('handled')}>
            {m.delegations_handled({ count: delegation.handled })}
          </Button>
        ) : (
          <span className="muted">{m.delegations_handled_none()}</span>
        )}
        {delegation.state === 'over' ? null : (
          <Button kind="plain" small onClick={() => setShown('end')}>
            {m.delegations_end()}
          </Button>
        )}
      </p>
      <Dialog
        open={shown === 'end'}
        onClose={close}
        title={m.delegations_end_ask()}
        actions={
          <>
            <Button kind="plain" onClick={close}>
              {m.ui_cancel()}
            </Button>
            <Button
              kind="danger"
              busy={isPending}
              onClick={() => mutate({ params: { id: delegation.id } })}
            >
              {m.delegations_end()}
            </Button>
          </>
        }
      >
        <p>{m.delegations_end_text()}</p>
      </Dialog>
      {shown === 'handled' ? <Handled id={delegation.id} onClose={close} /> : null}
    </li>
  )
}

function Handled({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useQuery(q(delegations.handled, { params: { id } }))
  return (
    <Sheet open onClose={onClose} title={m.delegations_handled_title()}>
      <QueryView
        query={query}
        skeleton={<Skeleton rows={3} height={48} label={m.shell_loading()} />}
        isEmpty={(list) => list.length === 0}
        empty={<Empty icon="history" title={m.delegations_handled_none()} />}
      >
        {(list) => (
          <ul className="delegations">
            {list.map((task) => (
              <li key={`${task.id} ${task.at}`}>
                <Link
                  className="delegation"
                  to="/msgCenter/pages/task/applicationDetail"
                  search={{ id: task.id }}
                >
                  <span>
                    <Bilingual zh={task.title} en={task.titleEn} />
                  </span>
                  <span className="muted num">
                    <Facts
                      of={[
                        inLanguage(task.by, task.byEn),
                        inLanguage(task.action, task.actionEn),
                        formatDay(task.at),
                      ]}
                    />
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </Sheet>
  )
}

const stateName = (state: Delegation['state']) =>
  ({
    waiting: m.delegations_state_waiting,
    active: m.delegations_state_active,
    over: m.delegations_state_over,
  })[state]()
