import './todos.css'
import { type Todo, todos } from '@atrium/contract/work/todos'
import { useState } from 'react'
import { invalidate } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { redirect } from '#shell/navigation/navigation.ts'
import { ListEnd } from '#shell/page/list-end.tsx'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { SearchForm } from '#ui/form/search-form.tsx'
import { RowList } from '#ui/list-row.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { useFinish, useMove, useTodos } from './todo-queries.ts'
import { TodoRow } from './todo-row.tsx'

const path = '/msgCenter/pages/task/personaltodo'

/** The member's own to-dos and those assigned by others. */
export default function TodosPage() {
  const { part, keyWords = '', tag } = useSearch(path)
  const finished = part === 'finished'
  const go = (change: { part?: string | undefined; keyWords?: string; tag?: string | undefined }) =>
    redirect(path, { part, keyWords: keyWords || undefined, tag, ...change })
  return (
    <Page onRefresh={async () => invalidate(todos.list)}>
      <div className="column stack">
        <SearchForm
          label={m.todos_search()}
          keyWords={keyWords}
          focus={false}
          onSearch={(words) => go({ keyWords: words })}
        />
        <Tabs
          variant="segment"
          label={m.todos_parts()}
          items={[
            { value: 'open', label: m.todos_open() },
            { value: 'finished', label: m.todos_finished() },
          ]}
          value={finished ? 'finished' : 'open'}
          onChange={(value) => go({ part: value === 'finished' ? value : undefined })}
        >
          {tag ? (
            <div className="todo-tag">
              <Button small kind="plain" onClick={() => go({ tag: undefined })}>
                {m.todos_only_tag({ tag })}
              </Button>
            </div>
          ) : null}
          <List
            key={`${finished} ${keyWords} ${tag}`}
            finished={finished}
            {...(keyWords && { keyWords })}
            {...(tag && { tag })}
          />
        </Tabs>
      </div>
    </Page>
  )
}

function List(query: { finished: boolean; keyWords?: string; tag?: string }) {
  const list = useTodos(query)
  const [ordering, setOrdering] = useState(false)
  const { mutate: move } = useMove()
  const { mutate: finish } = useFinish((id, finished) => {
    if (finished)
      toast(m.todos_is_finished(), {
        label: m.todos_undo(),
        run: () => finish({ params: { id }, body: { finished: false } }),
      })
  })
  const { finished } = query
  const whole = !finished && !query.keyWords && !query.tag
  return (
    <QueryView
      query={list}
      skeleton={<Skeleton rows={5} height={64} label={m.shell_loading()} />}
      below={
        <div className="todo-new">
          <Link className="button button-primary button-wide" to="/msgCenter/pages/task/addtodo">
            {m.todos_new_title()}
          </Link>
        </div>
      }
      isEmpty={({ pages: [first] }) => first?.list.length === 0}
      empty={
        <Empty icon="check" title={finished ? m.todos_finished_none() : m.todos_none()}>
          {finished ? null : m.todos_none_hint()}
        </Empty>
      }
    >
      {({ pages }) => {
        const all = pages.flatMap((page) => page.list)
        return (
          <>
            <RowList label={finished ? m.todos_finished() : m.todos_open()}>
              {all.map((todo, index) => (
                <TodoRow
                  key={todo.id}
                  todo={todo}
                  listedAt={list.dataUpdatedAt}
                  onFinish={() =>
                    finish({ params: { id: todo.id }, body: { finished: !isDone(todo) } })
                  }
                  {...(ordering && {
                    place: {
                      index,
                      count: all.length,
                      onMove(to: number) {
                        // Moved down, it is before the one after its new place.
                        const before = all[to > index ? to + 1 : to]?.id ?? null
                        move({ params: { id: todo.id }, body: { before } })
                      },
                    },
                  })}
                />
              ))}
            </RowList>
            <ListEnd query={list} />
            {whole && all.length > 1 ? (
              <div className="todo-order">
                <Button kind="plain" wide onClick={() => setOrdering(!ordering)}>
                  {ordering ? m.todos_order_done() : m.todos_order()}
                </Button>
              </div>
            ) : null}
          </>
        )
      }}
    </QueryView>
  )
}

export const isDone = ({ finishedAt, doneAt }: Todo) => finishedAt !== null || doneAt !== null
