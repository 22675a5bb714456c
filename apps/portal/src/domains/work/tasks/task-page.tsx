import './tasks.css'
import type { Task, TaskEntry } from '@atrium/contract/work/tasks'
import { useContext, useEffect } from 'react'
import { FileRow } from '#domains/content/files/file-row.tsx'
import { OwnApplication } from '#domains/work/applications/own-application.tsx'
import { useTaskMenu } from '#domains/work/task-handling/task-menu.tsx'
import { useWaitingAction } from '#domains/work/task-handling/waiting-actions.ts'
import { WaitingNotes } from '#domains/work/task-handling/waiting-note.tsx'
import { formatDayAndTime } from '#lib/format.ts'
import { inLanguage, userTextLang } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { LinkRow } from '#shell/navigation/link-row.tsx'
import { openAddress } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { PageContext } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { RowList } from '#ui/list-row.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { Pill } from '#ui/pill.tsx'
import { dueText } from './due.ts'
import { OutcomeNote } from './outcome-note.tsx'
import { TaskActions } from './task-actions.tsx'
import { TaskRecords } from './task-records.tsx'
import { TaskStatus } from './task-status.tsx'
import { useMarkRead, useTask, useTaskRecords } from './tasks-queries.ts'

const shownRecords = 3

/** A task; also used for done tasks. */
export default function TaskPage() {
  const id = useContext(PageContext).search.id ?? ''
  const task = useTask(id)
  const records = useTaskRecords(id)
  useReading(task.data)
  const waiting = useWaitingAction(id)
  const offers = (task.data?.actions.length ?? 0) > 0 && (!waiting || Boolean(waiting.refusal))
  return (
    <Page
      actions={task.data ? <More task={task.data} /> : null}
      onRefresh={() => Promise.all([task.refetch(), records.refetch()])}
    >
      <div className="column stack">
        <QueryView query={task} skeleton={<Skeleton height={420} label={m.shell_loading()} />}>
          {(data) => (
            <div className="stack">
              <WaitingNotes task={data.id} />
              <OutcomeNote task={data} />
              <Facts task={data} />
              {data.form.length > 0 ? <Form form={data.form} /> : null}
              <QueryView
                query={records}
                skeleton={<Skeleton height={160} label={m.shell_loading()} />}
              >
                {(list) => (
                  <div className="stack">
                    {list.length > 0 ? (
                      <Card title={m.tasks_records()}>
                        <TaskRecords records={list.slice(-shownRecords)} />
                      </Card>
                    ) : null}
                    {list.length > shownRecords ? (
                      <RowList>
                        <LinkRow
                          to="/msgCenter/pages/task/handleRecord"
                          search={{ id }}
                          icon="history"
                          value={m.tasks_records_count({ count: list.length })}
                        >
                          {m.tasks_records_all()}
                        </LinkRow>
                      </RowList>
                    ) : null}
                  </div>
                )}
              </QueryView>
              <RowList>
                <LinkRow
                  to="/pages/shedul/taskAddShedul"
                  search={{ id, from: 'task' }}
                  icon="calendar"
                >
                  {m.tasks_add_to_schedule()}
                </LinkRow>
              </RowList>
              {data.own && data.isApplication ? <OwnApplication id={data.id} /> : null}
              {data.url ? (
                <Button
                  wide
                  kind={offers || data.doneAt || data.status !== 'progress' ? 'plain' : 'primary'}
                  onClick={() => openAddress(data.url)}
                >
                  {m.tasks_open({ source: inLanguage(data.source, data.sourceEn) })}
                  <Icon name="external" />
                </Button>
              ) : null}
            </div>
          )}
        </QueryView>
      </div>
      {task.data && offers ? <TaskActions task={task.data} /> : null}
    </Page>
  )
}

function More({ task }: { task: Task }) {
  const { open, sheets } = useTaskMenu(task, { waits: task.waits })
  return (
    <>
      <IconButton label={m.tasks_actions_more()} onClick={open}>
        <Icon name="more" />
      </IconButton>
      {sheets}
    </>
  )
}

/** Opening a copy marks it as read. */
function useReading(task: Task | undefined) {
  const { mutate } = useMarkRead()
  const unread = task?.unread ? task.id : undefined
  useEffect(() => {
    if (unread) mutate({ params: { id: unread }, body: { action: 'read', comment: '' } })
  }, [unread, mutate])
}

function Facts({ task }: { task: Task }) {
  const { timeZone } = useSystem()
  const open = task.status === 'progress' && !task.doneAt
  const due = task.dueAt && open ? dueText(task.dueAt, timeZone) : undefined
  return (
    <Card>
      <h2 className="task-title">
        <Bilingual zh={task.title} en={task.titleEn} />
      </h2>
      <p className="task-marks">
        <TaskStatus status={task.status} />
        {task.urgent ? <Pill tone="orange">{m.tasks_urgent()}</Pill> : null}
        {task.onBehalfOf ? (
          <Pill tone="green">
            {m.tasks_for({ name: inLanguage(task.onBehalfOf, task.onBehalfOfEn) })}
          </Pill>
        ) : null}
        {task.snoozedUntil ? (
          <Pill tone="blue">
            {/* The member chose it on a device, in the device's zone. */}
            {m.tasks_snoozed_until({ time: formatDayAndTime(task.snoozedUntil) })}
          </Pill>
        ) : null}
        {due ? (
          <span className={due.pressing ? 'task-due task-pressing' : 'task-due'}>
            <Icon name="clock" />
            {due.text}
          </span>
        ) : null}
      </p>
      {task.note ? (
        <p className="task-note">
          <Bilingual zh={task.note} en={task.noteEn} />
        </p>
      ) : null}
      <dl className="task-facts">
        <Fact label={m.tasks_source()}>{inLanguage(task.source, task.sourceEn)}</Fact>
        {task.applicant ? (
          <Fact label={m.tasks_applicant()}>{inLanguage(task.applicant, task.applicantEn)}</Fact>
        ) : null}
        <Fact label={m.tasks_created()}>{formatDayAndTime(task.createdAt, timeZone)}</Fact>
        {task.dueAt ? (
          <Fact label={m.tasks_due_at()}>{formatDayAndTime(task.dueAt, timeZone)}</Fact>
        ) : null}
        {task.doneAt ? (
          <Fact label={m.tasks_done_at()}>{formatDayAndTime(task.doneAt, timeZone)}</Fact>
        ) : null}
      </dl>
    </Card>
  )
}

function Form({ form }: { form: Task['form'] }) {
  const facts = form.filter(({ value }) => value)
  return (
    <Card title={m.tasks_form()}>
      {facts.length > 0 ? (
        <dl className="task-facts">
          {facts.map(({ label, labelEn, value, valueEn }) => (
            <Fact key={label} label={inLanguage(label, labelEn)}>
              {inLanguage(value, valueEn)}
            </Fact>
          ))}
        </dl>
      ) : null}
      {form.map((entry) => (
        <Part key={entry.label} entry={entry} />
      ))}
    </Card>
  )
}

/** Files and tables of a form are shown below its single values. */
function Part({ entry: { label, labelEn, files, table } }: { entry: TaskEntry }) {
  const name = inLanguage(label, labelEn)
  if (files.length > 0)
    return (
      <>
        <h3 className="task-part" lang={userTextLang(name)}>
          {name}
        </h3>
        <ul aria-label={name}>
          {files.map((file) => (
            <FileRow
              key={file.url}
              name={file.name}
              mediaType={file.mediaType}
              byteSize={file.size}
              url={file.url}
            />
          ))}
        </ul>
      </>
    )
  if (!table) return null
  return (
    <>
      <h3 className="task-part" lang={userTextLang(name)}>
        {name}
      </h3>
      <ol className="task-table">
        {table.rows.map((row, at) => (
          // Rows have no identity but their index.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <li key={at} className="task-table-row">
            <dl className="task-facts">
              {table.columns.map(({ title, titleEn }, column) =>
                row[column] ? (
                  <Fact key={title} label={inLanguage(title, titleEn)}>
                    {row[column]}
                  </Fact>
                ) : null,
              )}
            </dl>
          </li>
        ))}
      </ol>
    </>
  )
}

const Fact = ({ label, children }: { label: string; children: string }) => (
  <div>
    <dt lang={userTextLang(label)}>{label}</dt>
    <dd className="num" lang={userTextLang(children)}>
      {children}
    </dd>
  </div>
)
