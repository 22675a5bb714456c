import { useSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { Page } from '#shell/page/page.tsx'
import { Card } from '#ui/card.tsx'
import { Button } from '#ui/form/button.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Switch } from '#ui/form/switch.tsx'
import { RowList } from '#ui/list-row.tsx'
import { Icon } from '#ui/media/icon.tsx'
import '#ui/form/search-field.css'
import './start.css'
import { useHistory } from './history.ts'
import { KindGrid } from './kind-grid.tsx'

/** The searchable kinds, and the settings of the search history. */
export default function EntryPage() {
  const history = useHistory()
  const member = useSession() !== null
  return (
    <Page>
      <div className="column stack">
        <Link className="search-field" to="/pages/search/wholeSearch">
          <Icon name="search" />
          <span className="one-line">{member ? m.search_label() : m.search_label_visitor()}</span>
        </Link>
        <KindGrid />
        <Card title={m.search_history()}>
          {history.kept === null ? (
            <p className="muted">{m.search_history_device()}</p>
          ) : (
            <>
              <Switch
                label={m.search_history_keep()}
                checked={history.kept}
                onChange={history.setKept}
              />
              <p className="muted">
                {history.kept ? m.search_history_kept() : m.search_history_device()}
              </p>
            </>
          )}
        </Card>
        {history.list.length > 0 ? (
          <>
            <RowList label={m.search_history()}>
              {history.list.map((words) => (
                <li key={words} className="search-history-row">
                  <Link
                    className="search-history-words"
                    to="/pages/search/wholeSearch"
                    search={{ keyWords: words }}
                  >
                    {words}
                  </Link>
                  <IconButton
                    label={m.search_history_forget({ words })}
                    onClick={() => history.forget(words)}
                  >
                    <Icon name="close" />
                  </IconButton>
                </li>
              ))}
            </RowList>
            <Button kind="plain" wide onClick={history.clear}>
              {m.search_history_clear()}
            </Button>
          </>
        ) : null}
      </div>
    </Page>
  )
}
