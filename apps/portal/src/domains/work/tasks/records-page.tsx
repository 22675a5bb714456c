import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { TaskRecords } from './task-records.tsx'
import { useTask, useTaskRecords } from './tasks-queries.ts'

/** The history of a task. */
export default function RecordsPage() {
  const { id } = useSearch('/msgCenter/pages/task/handleRecord')
  const task = useTask(id).data
  const records = useTaskRecords(id)
  return (
    <Page onRefresh={() => records.refetch()}>
      <div className="column">
        <QueryView
          query={records}
          skeleton={<Skeleton height={280} label={m.shell_loading()} />}
          isEmpty={(list) => list.length === 0}
          empty={
            <Empty icon="history" title={m.tasks_no_records()}>
              {m.tasks_no_records_text()}
            </Empty>
          }
        >
          {(list) => (
            <Card title={task && inLanguage(task.title, task.titleEn)}>
              <TaskRecords records={list} />
            </Card>
          )}
        </QueryView>
      </div>
    </Page>
  )
}
