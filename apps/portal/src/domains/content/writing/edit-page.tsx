import './writing.css'
import '#domains/content/workbench/workbench-page.css'
import { useRef, useState } from 'react'
import {
  type Kind,
  useManaged,
  useOwnColumns,
} from '#domains/content/editorial/workbench-queries.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { redirect } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Writer } from './writer.tsx'

const path = '/pages/secondWork/gonggao/gonggaoSet'
const skeleton = () => <Skeleton height={480} label={m.shell_loading()} />

/** Edits an article or announcement in both languages, with preview and publication. */
export default function EditPage() {
  const { id = '', kind = 'announcement' } = useSearch(path)
  const article = useManaged(id)
  const columns = useOwnColumns()
  // Keeps the editor when a new article gets its own address.
  const made = useRef<string>(undefined)
  const [round, setRound] = useState(0)
  const restart = () => setRound((before) => before + 1)
  const names = columns.data?.map((one) => ({ id: one.id, name: inLanguage(one.name, one.nameEn) }))
  const isNew = id === '' || made.current === id
  return (
    <Page wide title={titleOf(article.data?.kind ?? kind, isNew)}>
      <div className="column stack">
        <QueryView
          query={columns}
          skeleton={skeleton()}
          isEmpty={(list) => list.length === 0}
          empty={
            <Card>
              <Empty icon="news" title={m.editorial_no_column()}>
                {m.editorial_no_column_hint()}
              </Empty>
            </Card>
          }
        >
          {() =>
            isNew ? (
              <Writer
                key={`new ${round}`}
                kind={kind}
                article={article.data}
                columns={names ?? []}
                created={(one) => {
                  made.current = one.id
                  redirect(path, { id: one.id, kind: one.kind })
                }}
                restart={restart}
              />
            ) : (
              <QueryView query={article} skeleton={skeleton()}>
                {(data) => (
                  <Writer
                    key={`${id} ${round}`}
                    kind={data.kind}
                    article={data}
                    columns={names ?? []}
                    created={() => {}}
                    restart={restart}
                  />
                )}
              </QueryView>
            )
          }
        </QueryView>
      </div>
    </Page>
  )
}

function titleOf(kind: Kind, isNew: boolean) {
  if (kind === 'article') return isNew ? m.writing_article_title() : m.writing_article_edit_title()
  return isNew ? m.writing_notice_title() : m.writing_notice_edit_title()
}
