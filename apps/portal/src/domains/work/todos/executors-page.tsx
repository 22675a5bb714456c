import './todos.css'
import { todos } from '@atrium/contract/work/todos'
import { useQuery } from '@tanstack/react-query'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { back, redirect } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { SearchForm } from '#ui/form/search-form.tsx'
import { Switch } from '#ui/form/switch.tsx'
import { RowList } from '#ui/list-row.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { changeDraft, useDraft } from './todo-draft.ts'

const path = '/msgCenter/pages/task/addExecutor'
const shortest = 2

/** Who is to do it, and which of them may finish it for everybody. */
export default function ExecutorsPage() {
  const { keyWords = '' } = useSearch(path)
  const { executors } = useDraft()
  return (
    <Page>
      <div className="column stack">
        <SearchForm
          label={m.todos_people_search()}
          keyWords={keyWords}
          onLook={(words) => redirect(path, { keyWords: words || undefined })}
        />
        {keyWords.length >= shortest ? <Found keyWords={keyWords} /> : null}
        <Card title={m.todos_executors_chosen()}>
          {executors.length === 0 ? (
            <Empty icon="people" title={m.todos_only_me()}>
              {m.todos_executors_hint()}
            </Empty>
          ) : (
            <ul className="todo-executors" aria-label={m.todos_executors_chosen()}>
              {executors.map((one) => (
                <li key={one.accountName}>
                  <Switch
                    label={m.todos_may_finish({ name: one.name })}
                    checked={one.mayFinish}
                    onChange={(mayFinish) =>
                      changeDraft({
                        executors: executors.map((other) =>
                          other === one ? { ...one, mayFinish } : other,
                        ),
                      })
                    }
                  />
                  <IconButton
                    label={m.todos_executor_remove({ name: one.name })}
                    onClick={() =>
                      changeDraft({ executors: executors.filter((other) => other !== one) })
                    }
                  >
                    <Icon name="close" />
                  </IconButton>
                </li>
              ))}
            </ul>
          )}
        </Card>
        <Button wide onClick={() => back()}>
          {m.todos_choose_done()}
        </Button>
      </div>
    </Page>
  )
}

function Found({ keyWords }: { keyWords: string }) {
  const { executors } = useDraft()
  const people = useQuery(q(todos.people, { query: { keyWords } }))
  return (
    <QueryView
      query={people}
      skeleton={<Skeleton rows={3} height={56} label={m.shell_loading()} />}
      isEmpty={(list) => list.length === 0}
      empty={
        <Card>
          <Empty icon="person" title={m.todos_people_none()} />
        </Card>
      }
    >
      {(list) => (
        <RowList label={m.todos_people_found()}>
          {list.map((one) => {
            const name = inLanguage(one.name, one.nameEn)
            const chosen = executors.some(({ accountName }) => accountName === one.accountName)
            return (
              <li key={one.accountName} className="todo-choice">
                <label>
                  <input
                    type="checkbox"
                    checked={chosen}
                    onChange={() =>
                      changeDraft({
                        executors: chosen
                          ? executors.filter(({ accountName }) => accountName !== one.accountName)
                          : [
                              ...executors,
                              { accountName: one.accountName, name, mayFinish: false },
                            ],
                      })
                    }
                  />
                  <span className="todo-person">
                    <span>{name}</span>
                    <span className="muted">
                      {one.accountName} · {inLanguage(one.organization, one.organizationEn)}
                    </span>
                  </span>
                </label>
              </li>
            )
          })}
        </RowList>
      )}
    </QueryView>
  )
}
