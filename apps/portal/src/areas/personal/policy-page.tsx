import './policy-page.css'
import { useContext } from 'react'
import { day } from '#lib/format.ts'
import { foreignLang, inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Page } from '#shell/page.tsx'
import { PageContext } from '#shell/page-context.ts'
import { QueryView } from '#shell/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/empty.tsx'
import { RichText } from '#ui/rich-text.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { useInstitutionText } from './personal-queries.ts'

/** The agreement or the privacy statement, at each of the addresses it has. */
export default function PolicyPage() {
  const { path } = useContext(PageContext)
  const name = /agreement$/i.test(path) ? 'userAgreement' : 'userPrivacy'
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
        >
          {({ html, htmlEn, updatedAt }) => (
            <Card>
              <RichText html={inLanguage(html, htmlEn)} lang={foreignLang(html, htmlEn)} />
              {updatedAt ? (
                <p className="muted num policy-date">
                  {m.personal_text_updated({ date: day(updatedAt) })}
                </p>
              ) : null}
            </Card>
          )}
        </QueryView>
      </div>
    </Page>
  )
}
