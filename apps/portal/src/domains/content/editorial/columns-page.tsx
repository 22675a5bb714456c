import '#domains/content/workbench/workbench-page.css'
import { newsConsole } from '@atrium/contract/content/editorial.operator'
import { news } from '@atrium/contract/content/news'
import { workbench } from '@atrium/contract/content/workbench.operator'
import { DepartmentPicker } from '#domains/content/workbench/department-picker.tsx'
import { Split } from '#domains/content/workbench/split.tsx'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { navigate, redirect } from '#shell/navigation/navigation.ts'
import { useOptimisticAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { MoveButtons } from '#ui/move-buttons.tsx'
import { Pill } from '#ui/pill.tsx'
import { ColumnForm } from './column-form.tsx'
import { type Column, ownColumns, useOwnColumns } from './workbench-queries.ts'

const path = '/pages/secondWork/columnSet'

/** The columns of a department: order, names, audience, and whether they are enabled. */
export default function ColumnsPage() {
  const { department, id } = useSearch(path)
  const columns = useOwnColumns(department)
  const chosen = columns.data?.find((column) => column.id === id)
  return (
    <Page wide onRefresh={columns.refetch}>
      <div className="column stack">
        <Split
          list={
            <>
              <div className="workbench-tools">
                <DepartmentPicker
                  department={department}
                  onChoose={(code) => redirect(path, { department: code })}
                />
                <Button wide onClick={() => navigate(path, { department, id: 'new' })}>
                  {m.editorial_columns_new()}
                </Button>
              </div>
              <QueryView
                query={columns}
                skeleton={<Skeleton rows={4} height={64} label={m.shell_loading()} />}
                isEmpty={(list) => list.length === 0}
                empty={
                  <Card>
                    <Empty icon="all" title={m.editorial_columns_empty()}>
                      {m.editorial_columns_empty_hint()}
                    </Empty>
                  </Card>
                }
              >
                {(list) => <Columns list={list} department={department} chosen={id} />}
              </QueryView>
            </>
          }
          detail={
            id === 'new' ? (
              <ColumnForm key="new" department={department} columns={columns.data ?? []} />
            ) : chosen ? (
              <ColumnForm
                key={chosen.id}
                department={department}
                columns={columns.data ?? []}
                column={chosen}
              />
            ) : null
          }
        />
      </div>
    </Page>
  )
}

type ColumnsProps = {
  list: readonly Column[]
  department: string | undefined
  chosen: string | undefined
}

function Columns({ list, department, chosen }: ColumnsProps) {
  const arrange = useOptimisticAction(newsConsole.arrangeColumns, {
    query: ownColumns(department),
    update: (columns, { body: { ids } }) =>
      ids.flatMap((id) => columns.find((column) => column.id === id) ?? []),
    invalidates: [news.columns, news.list, workbench.read],
    queue: 'columns',
    done: () => toast(m.editorial_columns_moved()),
  })
  const move = (from: number, to: number) => {
    const ids = list.map(({ id }) => id)
    ids.splice(to, 0, ...ids.splice(from, 1))
    arrange.mutate({ body: { ids } })
  }
  return (
    <Card>
      <ul className="workbench-set-rows">
        {list.map((column, at) => {
          const name = inLanguage(column.name, column.nameEn)
          return (
            <li key={column.id} className="workbench-set-row">
              <Link
                to={path}
                search={{ department, id: column.id }}
                verb={chosen ? 'redirect' : 'navigate'}
                aria-current={column.id === chosen ? 'page' : undefined}
              >
                <span>{name}</span>
                <span className="workbench-part-facts muted num">
                  <span>{m.editorial_columns_articles({ count: column.articles })}</span>
                  {column.enabled ? null : <Pill tone="amber">{m.editorial_columns_off()}</Pill>}
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
