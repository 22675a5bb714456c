import './workbench.css'
import { type Changes, newsConsole } from '@atrium/contract/content/editorial.operator'
import type { Static } from '@atrium/contract/define'
import { useState } from 'react'
import { formatDayAndTime } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { useAction } from '#shell/page/action.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import {
  cacheManaged,
  changed,
  type Managed,
  useDifference,
  useVersions,
} from './workbench-queries.ts'

/** Earlier versions of the text; renders nothing if there is only one. */
export function Versions({ article, onRestored }: { article: Managed; onRestored: () => void }) {
  const { timeZone } = useSystem()
  const versions = useVersions(article.id)
  const [selected, setSelected] = useState<number>()
  const restore = useAction(newsConsole.restore, {
    invalidates: changed,
    done: (restored) => {
      cacheManaged(restored)
      toast(m.editorial_restored())
      onRestored()
    },
  })
  if (article.version === 1) return null
  return (
    <Card title={m.editorial_versions()}>
      <QueryView query={versions} skeleton={<Skeleton height={160} label={m.shell_loading()} />}>
        {(list) => (
          <ul className="workbench-versions">
            {list.map(({ number, title, writtenAt, writtenBy }) => (
              <li key={number}>
                <p>
                  <strong className="num">{m.editorial_version({ number })}</strong> {title}
                </p>
                <p className="muted num">
                  {writtenBy}{' '}
                  <time dateTime={writtenAt}>{formatDayAndTime(writtenAt, timeZone)}</time>
                </p>
                {selected === number ? <Difference id={article.id} number={number} /> : null}
                <div className="workbench-actions">
                  {number > 1 ? (
                    <Button
                      kind="plain"
                      small
                      aria-label={m.editorial_difference_of({ number })}
                      aria-expanded={selected === number}
                      onClick={() => setSelected(selected === number ? undefined : number)}
                    >
                      {m.editorial_difference()}
                    </Button>
                  ) : null}
                  {number < article.version ? (
                    <Button
                      kind="plain"
                      small
                      busy={restore.isPending}
                      aria-label={m.editorial_restore_this({ number })}
                      onClick={() =>
                        restore.mutate({
                          params: { id: article.id, number },
                          body: { revision: article.revision },
                        })
                      }
                    >
                      {m.editorial_restore()}
                    </Button>
                  ) : null}
                </div>
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </Card>
  )
}

const fieldNames: Record<string, () => string> = {
  title: m.editorial_title,
  titleEn: m.editorial_title_en,
  summary: m.editorial_summary,
  text: m.editorial_text,
  textEn: m.editorial_text_en,
  author: m.editorial_author,
  columnId: m.editorial_column,
  titleImageFileId: m.editorial_title_image,
  titleImageFocus: m.editorial_title_image_focus,
  attachments: m.editorial_attachments,
  needsConfirmation: m.editorial_needs_confirmation,
}

/** Added and removed words, marked by elements and not only by colour. */
function Difference({ id, number }: { id: string; number: number }) {
  const difference = useDifference(id, number)
  return (
    <QueryView query={difference} skeleton={<Skeleton height={60} label={m.shell_loading()} />}>
      {(fields) => <ChangedFields fields={fields} />}
    </QueryView>
  )
}

/** The changed fields, word by word. */
export const ChangedFields = ({ fields }: { fields: Static<typeof Changes> }) =>
  fields.length === 0 ? (
    <p className="muted">{m.editorial_no_difference()}</p>
  ) : (
    <dl className="workbench-difference">
      {fields.map(({ field, changes }) => (
        <div key={field}>
          <dt>{fieldNames[field]?.() ?? field}</dt>
          <dd>
            {changes.map(({ kind, words }, index) => {
              const key = `${index} ${kind}`
              if (kind === 'added') return <ins key={key}>{words}</ins>
              if (kind === 'removed') return <del key={key}>{words}</del>
              return <span key={key}>{words}</span>
            })}
          </dd>
        </div>
      ))}
    </dl>
  )
