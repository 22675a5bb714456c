import './workbench-page.css'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { redirect } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { Empty } from '#ui/feedback/empty.tsx'
import { SearchForm } from '#ui/form/search-form.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { helpTopics } from './help-topics.ts'

const path = '/pages/secondWork/help'

/** Help for the workbench. Part of the app, so that it can be read offline. */
export default function HelpPage() {
  const { keyWords = '' } = useSearch(path)
  const words = keyWords.toLowerCase().split(/\s+/).filter(Boolean)
  const topics = helpTopics.filter((topic) => {
    const text = `${topic.title()} ${topic.text()}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  return (
    <Page wide>
      <div className="column stack">
        <SearchForm
          focus={false}
          label={m.workbench_help_search()}
          keyWords={keyWords}
          onSearch={(next) => redirect(path, { keyWords: next || undefined })}
        />
        <p className="unseen" role="status">
          {words.length > 0 ? m.workbench_help_found({ count: topics.length }) : ''}
        </p>
        {topics.length === 0 ? (
          <Empty icon="search" title={m.workbench_help_none({ words: keyWords })}>
            {m.workbench_help_none_text()}
          </Empty>
        ) : (
          <div className="workbench-parts">
            {topics.map(({ key, title, text, to }) => (
              <details
                key={`${key} ${words.length > 0}`}
                className="card workbench-help"
                open={words.length > 0}
              >
                <summary>
                  <h2 className="card-title">{title()}</h2>
                  <Icon name="chevron" />
                </summary>
                <ol className="workbench-help-steps">
                  {text()
                    .split('\n')
                    .map((step) => (
                      <li key={step}>{step}</li>
                    ))}
                </ol>
                {to ? (
                  <Link className="workbench-part-all" to={to}>
                    {m.workbench_help_go()}
                    <Icon name="chevron" />
                  </Link>
                ) : null}
              </details>
            ))}
          </div>
        )}
      </div>
    </Page>
  )
}
