import './todos.css'
import { maxTodoExecutors } from '@atrium/contract/work/todos'
import { PeopleGroups } from '#domains/work/people/people-groups.tsx'
import { PeopleSearchResults } from '#domains/work/people/people-search-results.tsx'
import { m } from '#paraglide/messages.js'
import { back, redirect } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Button } from '#ui/form/button.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { SearchForm } from '#ui/form/search-form.tsx'
import { Switch } from '#ui/form/switch.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { changeDraft, useDraft } from './todo-draft.ts'

const path = '/msgCenter/pages/task/addExecutor'

/** Chooses the executors, and who may finish the to-do for everyone. */
export default function ExecutorsPage() {
  const { keyWords = '' } = useSearch(path)
  const { executors } = useDraft()
  return (
    <Page>
      <div className="column stack">
        <SearchForm
          label={m.todos_people_search()}
          keyWords={keyWords}
          onSearch={(words) => redirect(path, { keyWords: words || undefined })}
        />
        <PeopleSearchResults
          keyWords={keyWords}
          full={executors.length >= maxTodoExecutors}
          isChosen={(name) => executors.some(({ accountName }) => accountName === name)}
          onToggle={(person, chosen) =>
            changeDraft({
              executors: chosen
                ? [...executors, { ...person, mayFinish: false }]
                : executors.filter(({ accountName }) => accountName !== person.accountName),
            })
          }
        />
        <PeopleGroups
          chosen={executors}
          max={maxTodoExecutors}
          onAdd={(people) =>
            changeDraft({
              executors: [
                ...executors,
                ...people.map((person) => ({ ...person, mayFinish: false })),
              ],
            })
          }
        >
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
        </PeopleGroups>
      </div>
    </Page>
  )
}
