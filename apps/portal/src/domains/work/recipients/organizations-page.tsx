import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { RowContent, RowList } from '#ui/list-row.tsx'
import { ChooserPage } from './chooser-page.tsx'
import { OrganizationList } from './organization-list.tsx'

/** Organisations from the top level down. */
export default function OrganizationsPage() {
  const { ins_code, name } = useSearch('/msgCenter/pages/onlineSend/chooseOrganization')
  return (
    <ChooserPage {...(name && { title: name })}>
      <RowList>
        <li>
          <Link className="list-row" to="/msgCenter/pages/onlineSend/orgSearch">
            <RowContent icon="search" leads>
              {m.sending_organization_search_title()}
            </RowContent>
          </Link>
        </li>
      </RowList>
      <OrganizationList query={{ ...(ins_code && { ins_code }) }} />
    </ChooserPage>
  )
}
