import './address-book.css'
import { addressBook, contactGroups } from '@atrium/contract/member/address-book'
import { inLanguage } from '#lib/language.ts'
import { invalidate } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { redirect } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { SearchForm } from '#ui/form/search-form.tsx'
import { useGroups, useLevel } from './book-queries.ts'
import { BookStart } from './book-start.tsx'
import { OrganizationLevel } from './organization-level.tsx'
import { PeopleList } from './people-list.tsx'

const path = '/addressBook/addressList'

/** The address book: its top level, an organisation, a group, or search results. */
export default function BookPage() {
  const search = useSearch(path)
  const { orgId, groupId, keyWords = '' } = search
  const onRefresh = async () =>
    invalidate(
      addressBook.organizations,
      addressBook.people,
      addressBook.groups,
      addressBook.favourites,
      contactGroups.list,
    )
  return (
    <Page title={useTitle()} onRefresh={onRefresh}>
      <div className="column stack">
        {groupId ? null : (
          <SearchForm
            label={orgId ? m.address_book_search_here() : m.address_book_search()}
            keyWords={keyWords}
            focus={false}
            onSearch={(words) => redirect(path, { ...search, keyWords: words || undefined })}
          />
        )}
        {keyWords ? (
          <PeopleList query={{ keyWords, ...(orgId && { orgId }) }} place />
        ) : groupId ? (
          <PeopleList query={{ groupId }} place />
        ) : orgId ? (
          <OrganizationLevel orgId={orgId} />
        ) : (
          <BookStart />
        )}
      </div>
    </Page>
  )
}

/** The name of the organisation or group, once known. */
function useTitle() {
  const { orgId, groupId } = useSearch(path)
  const level = useLevel(orgId).data
  const groups = useGroups().data
  const one = orgId
    ? level?.path.find(({ id }) => id === orgId)
    : groups?.find(({ id }) => id === groupId)
  return (orgId || groupId) && one ? inLanguage(one.name, one.nameEn) : undefined
}
