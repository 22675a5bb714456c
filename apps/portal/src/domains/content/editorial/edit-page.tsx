import './workbench.css'
import { type ArticleText, newsConsole } from '@atrium/contract/content/editorial.operator'
import type { Static } from '@atrium/contract/define'
import { type SubmitEvent, useState } from 'react'
import type { ApiError } from '#lib/api.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { redirect } from '#shell/navigation/navigation.ts'
import { useAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { SelectField } from '#ui/form/select.tsx'
import { Switch } from '#ui/form/switch.tsx'
import { TextArea } from '#ui/form/text-area.tsx'
import { ArticleFiles } from './article-files.tsx'
import { Steps } from './steps.tsx'
import { Versions } from './versions.tsx'
import {
  changed,
  keepManaged,
  type Managed,
  useManaged,
  useOwnColumns,
} from './workbench-queries.ts'

type Text = Static<typeof ArticleText>
const nothing = {
  columnId: '',
  title: '',
  titleEn: '',
  summary: '',
  format: 'markdown',
  text: '',
  textEn: '',
  author: '',
  titleImageFileId: null,
  titleImageFocus: null,
  attachments: [],
} satisfies Partial<Text>

/** An announcement or an article: its text, how far it has come, and what it was before. */
export default function EditPage() {
  const { id = '', kind = 'announcement' } = useSearch('/pages/secondWork/gonggao/gonggaoSet')
  const article = useManaged(id)
  return (
    <Page>
      <div className="column stack">
        {id === '' ? (
          <Editor before={{ ...nothing, kind, needsConfirmation: kind === 'announcement' }} />
        ) : (
          <QueryView query={article} skeleton={<Skeleton height={480} label={m.shell_loading()} />}>
            {(data) => (
              <>
                <Steps article={data} />
                <Editor key={data.version} before={data.text} article={data} />
                <Versions article={data} />
              </>
            )}
          </QueryView>
        )}
      </div>
    </Page>
  )
}

function Editor({ before, article }: { before: Text; article?: Managed }) {
  const columns = useOwnColumns()
  return (
    <QueryView
      query={columns}
      skeleton={<Skeleton height={480} label={m.shell_loading()} />}
      isEmpty={(list) => list.length === 0}
      empty={
        <Card>
          <Empty icon="news" title={m.editorial_no_column()}>
            {m.editorial_no_column_hint()}
          </Empty>
        </Card>
      }
    >
      {(list) => (
        <Form
          before={before}
          article={article}
          columns={list.map(({ id, name, nameEn }) => ({ id, name: inLanguage(name, nameEn) }))}
        />
      )}
    </QueryView>
  )
}

/** A text with a picture at its end, in the words of its format. */
function withPicture({ format, text }: Text, name: string, url: string) {
  const words = name.replace(/\.\w+$/, '').replaceAll(/[[\]()<>"&]/g, ' ')
  const address = url.replace(/\?.*$/, '')
  const picture =
    format === 'html' ? `<p><img src="${address}" alt="${words}"></p>` : `![${words}](${address})`
  return text.trim() === '' ? picture : `${text.trimEnd()}\n\n${picture}`
}

type FormProps = {
  before: Text
  article: Managed | undefined
  columns: readonly { id: string; name: string }[]
}

function Form({ before, article, columns }: FormProps) {
  const [text, setText] = useState<Text>({
    ...before,
    columnId: before.columnId || (columns[0]?.id ?? ''),
  })
  const [issues, setIssues] = useState<Record<string, string>>({})
  const [sending, setSending] = useState(false)
  const set = (part: Partial<Text>) => setText((now) => ({ ...now, ...part }))
  const failed = (error: ApiError) => {
    setIssues(error.fields)
    return Object.keys(error.fields).length > 0
  }
  const create = useAction(newsConsole.create, {
    refresh: changed,
    failed,
    done: (made) => {
      keepManaged(made)
      toast(m.editorial_saved())
      redirect('/pages/secondWork/gonggao/gonggaoSet', { id: made.id, kind: made.kind })
    },
  })
  const save = useAction(newsConsole.save, {
    refresh: changed,
    failed,
    done: (saved) => {
      keepManaged(saved)
      toast(m.editorial_saved())
    },
  })
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!text.title.trim()) return setIssues({ title: m.editorial_needs_title() })
    setIssues({})
    if (article)
      save.mutate({ params: { id: article.id }, body: { ...text, autosave: false, revision: article.revision } })
    else create.mutate({ body: text })
  }
  return (
    <form className="workbench-form" onSubmit={send} noValidate>
      <SelectField
        label={m.editorial_column()}
        value={text.columnId}
        onValue={(columnId) => set({ columnId })}
      >
        {columns.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <Field
        label={m.editorial_title()}
        value={text.title}
        onValue={(title) => set({ title })}
        maxLength={200}
        {...(issues.title && { error: issues.title })}
      />
      <Field
        label={m.editorial_title_en()}
        value={text.titleEn}
        onValue={(titleEn) => set({ titleEn })}
        maxLength={200}
      />
      <TextArea
        label={m.editorial_summary()}
        value={text.summary}
        onValue={(summary) => set({ summary })}
        most={500}
        rows={2}
        {...(issues.summary && { error: issues.summary })}
      />
      <p className="muted">{m.editorial_summary_hint()}</p>
      <TextArea
        label={text.format === 'html' ? m.editorial_text_html() : m.editorial_text()}
        value={text.text}
        onValue={(value) => set({ text: value })}
        most={200_000}
        rows={12}
        {...(issues.text && { error: issues.text })}
      />
      {text.format === 'markdown' ? <p className="muted">{m.editorial_markdown()}</p> : null}
      <TextArea
        label={m.editorial_text_en()}
        value={text.textEn}
        onValue={(textEn) => set({ textEn })}
        most={200_000}
        rows={4}
      />
      <ArticleFiles
        before={before}
        article={article}
        issues={issues}
        onChange={set}
        onPicture={({ name, url }) =>
          setText((now) => ({ ...now, text: withPicture(now, name, url) }))
        }
        onBusy={setSending}
      />
      <Field
        label={m.editorial_author()}
        value={text.author}
        onValue={(author) => set({ author })}
        maxLength={100}
      />
      {text.kind === 'announcement' ? (
        <Switch
          label={m.editorial_needs_confirmation()}
          checked={text.needsConfirmation}
          onChange={(needsConfirmation) => set({ needsConfirmation })}
        />
      ) : null}
      <Button type="submit" wide busy={sending || create.isPending || save.isPending}>
        {m.editorial_save()}
      </Button>
    </form>
  )
}
