import { m } from '#paraglide/messages.js'
import { redirect } from '#shell/navigation/navigation.ts'
import { useSearch } from '#shell/page/page-context.ts'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { SearchForm } from '#ui/form/search-form.tsx'
import { ChooserPage } from './chooser-page.tsx'
import { OrganizationList } from './organization-list.tsx'

const path = '/msgCenter/pages/onlineSend/orgSearch'

/** Searches organisations by name. */
export default function OrganizationSearchPage() {
  const { keyWords = '' } = useSearch(path)
  return (
    <ChooserPage>
      <SearchForm
        label={m.sending_organization_name()}
        keyWords={keyWords}
        onSearch={(words) => redirect(path, { keyWords: words || undefined })}
      />
      {keyWords ? (
        <OrganizationList query={{ keyWords }} />
      ) : (
        <Card>
          <Empty icon="building" title={m.sending_organization_start()} />
        </Card>
      )}
    </ChooserPage>
  )
}
