import './profile-page.css'
import type { ReactNode } from 'react'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { LinkRow } from '#shell/navigation/link-row.tsx'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { EmailAddress } from '#ui/email-address.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { RowList } from '#ui/list-row.tsx'
import { NameEn } from './name-en.tsx'
import { useProfile } from './personal-queries.ts'
import { PortraitField } from './portrait-field.tsx'

/** The member's profile. */
export default function ProfilePage() {
  const profile = useProfile()
  return (
    <Page onRefresh={() => profile.refetch()}>
      <div className="column stack">
        <QueryView
          query={profile}
          skeleton={<Skeleton height={380} label={m.shell_loading()} />}
          below={<ProfilePages />}
        >
          {(data) => (
            <Card>
              <PortraitField
                name={inLanguage(data.userName, data.userNameEn)}
                url={data.portraitUrl}
              />
              <dl className="profile-facts">
                <Fact label={m.personal_name()}>{inLanguage(data.userName, data.userNameEn)}</Fact>
                <NameEn profile={data} />
                <Fact label={m.personal_account()}>{data.accountName}</Fact>
                <Fact label={m.personal_identity()}>
                  {inLanguage(data.identityTypeName, data.identityTypeNameEn)}
                </Fact>
                <Fact label={m.personal_organization()}>
                  {inLanguage(data.organizationName, data.organizationNameEn)}
                </Fact>
                <Fact label={m.personal_mobile()}>{data.mobile || m.personal_not_given()}</Fact>
                <Fact label={m.personal_email()}>
                  {data.email ? <EmailAddress address={data.email} /> : m.personal_not_given()}
                </Fact>
              </dl>
              <p className="muted profile-note">{m.personal_profile_note()}</p>
            </Card>
          )}
        </QueryView>
      </div>
    </Page>
  )
}

const ProfilePages = () => (
  <RowList>
    <LinkRow to="/pages/myInfo/correct" icon="edit">
      {m.corrections_title()}
    </LinkRow>
    <LinkRow to="/pages/set/changeAccount" icon="swap">
      {m.personal_identities()}
    </LinkRow>
    <LinkRow to="/pages/myInfo/authorizationManage" icon="key">
      {m.personal_told()}
    </LinkRow>
    <LinkRow to="/pages/privacy/privacy" icon="shield">
      {m.personal_known()}
    </LinkRow>
    <LinkRow to="/pages/myInfo/files" icon="file">
      {m.files_mine_title()}
    </LinkRow>
  </RowList>
)

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd className="num">{children}</dd>
  </div>
)
