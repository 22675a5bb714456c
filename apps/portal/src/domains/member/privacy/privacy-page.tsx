import './privacy.css'
import { m } from '#paraglide/messages.js'
import { LinkRow } from '#shell/navigation/link-row.tsx'
import { Page } from '#shell/page/page.tsx'
import { RowList } from '#ui/list-row.tsx'
import { ExportCard } from './export-card.tsx'
import { useBlackList, useClosing, useExport } from './privacy-queries.ts'

/** The member's choices about their own data. */
export default function PrivacyPage() {
  const blackList = useBlackList()
  const closing = useClosing()
  const file = useExport()
  const refresh = () => Promise.all([blackList.refetch(), closing.refetch(), file.refetch()])
  return (
    <Page onRefresh={refresh}>
      <div className="column stack">
        <RowList>
          <LinkRow to="/pages/privacy/privacySet" icon="eye">
            {m.privacy_settings_title()}
          </LinkRow>
          <LinkRow
            to="/pages/privacy/blackList"
            icon="mute"
            value={blackList.data && m.privacy_people({ count: blackList.data.length })}
          >
            {m.privacy_blocked_title()}
          </LinkRow>
          <LinkRow to="/pages/myInfo/authorizationManage" icon="key">
            {m.consent_title()}
          </LinkRow>
        </RowList>
        <RowList>
          <LinkRow to="/pages/privacyPolicy/index" icon="shield">
            {m.personal_privacy()}
          </LinkRow>
          <LinkRow
            to="/pages/privacy/closeAccount"
            icon="trash"
            value={closing.data?.status === 'waiting' ? m.privacy_closing_waits() : undefined}
          >
            {m.privacy_closing_title()}
          </LinkRow>
        </RowList>
        {/* Last: its height depends on its state, and nothing may move under a finger. */}
        <ExportCard />
      </div>
    </Page>
  )
}
