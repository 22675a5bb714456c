import { chooserKey } from '@atrium/rules/chooser'
import { type Chosen, removeRecipient, useDraft } from '#domains/work/sending/draft.ts'
import { useRights } from '#domains/work/sending/sending-queries.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { RowContent, RowList } from '#ui/list-row.tsx'
import { Icon, type IconName } from '#ui/media/icon.tsx'
import { ChooserPage } from './chooser-page.tsx'
import { SaveAsList } from './list-name.tsx'

const ways = [
  { to: '/msgCenter/pages/onlineSend/peopleSearch', icon: 'person', title: m.sending_people_title },
  {
    to: '/msgCenter/pages/onlineSend/chooseOrganization',
    icon: 'building',
    title: m.sending_add_organizations,
  },
  { to: '/msgCenter/pages/onlineSend/userGroup', icon: 'people', title: m.sending_groups_title },
  {
    to: '/msgCenter/pages/onlineSend/addExternalContacts',
    icon: 'mail',
    title: m.sending_contacts_title,
  },
] as const

/** The recipients of a message, and the ways to add more. */
export default function RecipientsPage() {
  const { recipients } = useDraft()
  const rights = useRights()
  const open = rights.data?.asMember ? ways.slice(0, 1) : ways
  return (
    <ChooserPage>
      <RowList>
        {open.map(({ to, icon, title }) => (
          <li key={to}>
            <Link className="list-row" to={to}>
              <RowContent icon={icon} leads>
                {title()}
              </RowContent>
            </Link>
          </li>
        ))}
      </RowList>
      <Card title={m.sending_chosen()} flush>
        {recipients.length === 0 ? (
          <Empty icon="people" title={m.sending_nobody()}>
            {m.sending_nobody_text()}
          </Empty>
        ) : (
          <ul className="chosen-list" aria-label={m.sending_chosen()}>
            {recipients.map((entry) => (
              <li key={chooserKey(entry)}>
                <Icon name={iconOf(entry)} />
                <span>{entry.name}</span>
                <IconButton
                  label={m.sending_leave_out({ name: entry.name })}
                  onClick={() => removeRecipient(entry)}
                >
                  <Icon name="close" />
                </IconButton>
              </li>
            ))}
          </ul>
        )}
      </Card>
      {rights.data && !rights.data.asMember ? <SaveAsList /> : null}
    </ChooserPage>
  )
}

function iconOf(entry: Chosen): IconName {
  if ('accountName' in entry) return 'person'
  if ('courseId' in entry) return 'book'
  if ('eventId' in entry) return 'calendar'
  if ('group_code' in entry || 'identityType' in entry || 'listId' in entry) return 'people'
  if ('ins_code' in entry) return 'building'
  return entry.externalType === 'email' ? 'mail' : 'phone'
}
