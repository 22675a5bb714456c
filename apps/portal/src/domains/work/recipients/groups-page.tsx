import { sending } from '@atrium/contract/work/sending'
import { useQuery } from '@tanstack/react-query'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { redirect } from '#shell/navigation/navigation.ts'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { SearchForm } from '#ui/form/search-form.tsx'
import { RowList } from '#ui/list-row.tsx'
import { ChoiceRow } from './choice-row.tsx'
import { ChooserPage } from './chooser-page.tsx'

const path = '/msgCenter/pages/onlineSend/userGroup'

/** Groups of members: classes, clubs, projects. */
export default function GroupsPage() {
  const { keyWords = '' } = useSearch(path)
  const groups = useQuery(q(sending.groups, { query: { ...(keyWords && { keyWords }) } }))
  return (
    <ChooserPage>
      <SearchForm
        label={m.sending_groups_search()}
        keyWords={keyWords}
        onLook={(words) => redirect(path, { keyWords: words || undefined })}
      />
      <QueryView
        query={groups}
        skeleton={<Skeleton rows={5} height={56} label={m.shell_loading()} />}
        isEmpty={({ list }) => list.length === 0}
        empty={
          <Card>
            <Empty icon="people" title={m.sending_groups_none()} />
          </Card>
        }
      >
        {({ list, more }) => (
          <>
            <RowList label={m.sending_groups()}>
              {list.map((one) => (
                <ChoiceRow
                  key={one.group_code}
                  entry={{ group_code: one.group_code, name: inLanguage(one.name, one.nameEn) }}
                  about={m.sending_members({ count: one.members })}
                />
              ))}
            </RowList>
            {more ? <p className="muted">{m.sending_more_found()}</p> : null}
          </>
        )}
      </QueryView>
    </ChooserPage>
  )
}
