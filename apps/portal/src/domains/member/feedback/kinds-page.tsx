import './inbox.css'
import '#domains/content/workbench/workbench-page.css'
import { feedback } from '@atrium/contract/member/feedback'
import {
  feedbackConsole,
  type ManagedFeedbackKind,
} from '@atrium/contract/member/feedback.operator'
import { useQuery } from '@tanstack/react-query'
import { Split } from '#domains/content/workbench/split.tsx'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { navigate } from '#shell/navigation/navigation.ts'
import { useOptimisticAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { MoveButtons } from '#ui/move-buttons.tsx'
import { Pill } from '#ui/pill.tsx'
import { kindChangedMeanwhile } from './inbox-queries.ts'
import { KindForm } from './kind-form.tsx'

const path = '/pages/secondWork/feedback/kinds'

/** The kinds of feedback: order, names, who answers, and whether members may choose them. */
export default function KindsPage() {
  const { id } = useSearch(path)
  const kinds = useQuery(q(feedbackConsole.kinds))
  const chosen = kinds.data?.find((kind) => kind.id === id)
  return (
    <Page wide onRefresh={kinds.refetch}>
      <div className="column stack">
        <Split
          list={
            <>
              <div className="workbench-tools">
                <Button wide onClick={() => navigate(path, { id: 'new' })}>
                  {m.feedback_kinds_new()}
                </Button>
              </div>
              <QueryView
                query={kinds}
                skeleton={<Skeleton rows={4} height={64} label={m.shell_loading()} />}
                isEmpty={(list) => list.length === 0}
                empty={
                  <Card>
                    <Empty icon="chat" title={m.feedback_kinds_empty()}>
                      {m.feedback_kinds_empty_hint()}
                    </Empty>
                  </Card>
                }
              >
                {(list) => <Kinds list={list} chosen={id} />}
              </QueryView>
            </>
          }
          detail={
            id === 'new' ? (
              <KindForm key="new" kinds={kinds.data ?? []} />
            ) : chosen ? (
              <KindForm
                key={`${chosen.id} ${chosen.revision}`}
                kinds={kinds.data ?? []}
                kind={chosen}
              />
            ) : null
          }
        />
      </div>
    </Page>
  )
}

type KindsProps = { list: readonly ManagedFeedbackKind[]; chosen: string | undefined }

function Kinds({ list, chosen }: KindsProps) {
  const arrange = useOptimisticAction(feedbackConsole.arrangeKinds, {
    query: q(feedbackConsole.kinds),
    update: (kinds, { body: { ids } }) =>
      ids.flatMap((id) => kinds.find((kind) => kind.id === id) ?? []),
    invalidates: [feedback.kinds, feedbackConsole.list],
    queue: 'feedback-kinds',
    failed: kindChangedMeanwhile,
    done: () => toast(m.feedback_kinds_moved()),
  })
  const move = (from: number, to: number) => {
    const ids = list.map(({ id }) => id)
    ids.splice(to, 0, ...ids.splice(from, 1))
    arrange.mutate({ body: { ids } })
  }
  return (
    <Card>
      <ul className="workbench-set-rows" aria-label={m.feedback_kinds_title()}>
        {list.map((kind, at) => {
          const name = inLanguage(kind.name, kind.nameEn)
          return (
            <li key={kind.id} className="workbench-set-row">
              <Link
                to={path}
                search={{ id: kind.id }}
                verb={chosen ? 'redirect' : 'navigate'}
                aria-current={kind.id === chosen ? 'page' : undefined}
              >
                <Bilingual zh={kind.name} en={kind.nameEn} />
                <span className="workbench-part-facts muted num">
                  <span>
                    {inLanguage(kind.department, kind.departmentEn) || m.feedback_institution()}
                  </span>
                  {kind.waiting > 0 ? (
                    <span>{m.feedback_kinds_waiting({ count: kind.waiting })}</span>
                  ) : null}
                  {kind.online ? null : <Pill tone="amber">{m.feedback_kinds_off()}</Pill>}
                </span>
              </Link>
              <MoveButtons
                name={name}
                index={at}
                count={list.length}
                onMove={(to) => move(at, to)}
              />
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
