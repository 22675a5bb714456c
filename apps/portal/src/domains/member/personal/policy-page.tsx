import './policy-page.css'
import { useContext } from 'react'
import { formatDay } from '#lib/format.ts'
import { foreignLang, inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { LinkRow } from '#shell/navigation/link-row.tsx'
import { Page } from '#shell/page/page.tsx'
import { PageContext } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { RowList } from '#ui/list-row.tsx'
import { RichText } from '#ui/media/rich-text.tsx'
import { type InstitutionText, useInstitutionText } from './personal-queries.ts'

/** Texts whose name differs from the last part of the address. */
const byAddress: Record<string, InstitutionText> = {
  index: 'userPrivacy',
  privacy: 'userPrivacy',
  agreement: 'userAgreement',
  detail: 'aboutDetail',
}

/** One of the institution's texts, such as agreement and privacy, at each of their addresses. */
export default function PolicyPage() {
  const { path } = useContext(PageContext)
  const page = path.slice(path.lastIndexOf('/') + 1)
  const name = byAddress[page] ?? (page as InstitutionText)
  const text = useInstitutionText(name)
  return (
    <Page>
      <div className="column">
        <QueryView
          query={text}
          skeleton={<Skeleton height={480} label={m.shell_loading()} />}
          isEmpty={({ html, htmlEn }) => !html && !htmlEn}
          empty={
            <Empty icon="contract" title={m.personal_text_missing()}>
              {m.personal_text_missing_hint()}
            </Empty>
          }
          below={name === 'userPrivacy' ? <PrivacyTexts /> : null}
        >
          {({ html, htmlEn, updatedAt }) => (
            <Card>
              <RichText html={inLanguage(html, htmlEn)} lang={foreignLang(html, htmlEn)} />
              {updatedAt ? (
                <p className="muted num policy-date">
                  {m.personal_text_updated({ date: formatDay(updatedAt) })}
                </p>
              ) : null}
            </Card>
          )}
        </QueryView>
      </div>
    </Page>
  )
}

/** Further texts about privacy. */
function PrivacyTexts() {
  return (
    <section className="policy-more">
      <h2 className="card-title">{m.personal_privacy_more()}</h2>
      <RowList>
        <LinkRow to="/pages/privacyPolicy/privacyGuidelines" icon="mobile">
          {m.personal_privacy_guidelines()}
        </LinkRow>
        <LinkRow to="/pages/privacyPolicy/personalInformation" icon="clipboard">
          {m.personal_privacy_information()}
        </LinkRow>
        <LinkRow to="/pages/privacyPolicy/thirdParty" icon="people">
          {m.personal_privacy_third_party()}
        </LinkRow>
        <LinkRow to="/pages/privacyPolicy/faceProtocol" icon="person">
          {m.personal_privacy_face()}
        </LinkRow>
        <LinkRow to="/pages/privacyPolicy/privacyProtection" icon="shield">
          {m.personal_privacy_protection()}
        </LinkRow>
      </RowList>
    </section>
  )
}
