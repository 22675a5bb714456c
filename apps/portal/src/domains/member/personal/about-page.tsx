import './policy-page.css'
import { foreignLang, inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { LinkRow } from '#shell/navigation/link-row.tsx'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { RowList } from '#ui/list-row.tsx'
import { PictureWithFallback } from '#ui/media/picture-with-fallback.tsx'
import { RichText } from '#ui/media/rich-text.tsx'
import { useInstitutionText } from './personal-queries.ts'

/** About the portal: its name, institution and version. */
export default function AboutPage() {
  const { school, logoUrl, version } = useSystem()
  const text = useInstitutionText('aboutText')
  return (
    <Page>
      <div className="column stack">
        <div className="about-head">
          <PictureWithFallback
            src={logoUrl}
            width={72}
            height={72}
            fallback={<img src="/icon.svg" alt="" width={72} height={72} />}
          />
          <h2 className="about-name">{m.personal_about_name({ school })}</h2>
          <p className="muted num">{m.personal_version({ version })}</p>
        </div>
        <QueryView
          query={text}
          skeleton={<Skeleton height={160} label={m.shell_loading()} />}
          isEmpty={({ html, htmlEn }) => !html && !htmlEn}
          empty={null}
        >
          {({ html, htmlEn }) => (
            <Card>
              <RichText html={inLanguage(html, htmlEn)} lang={foreignLang(html, htmlEn)} />
            </Card>
          )}
        </QueryView>
        {text.isPending ? null : (
          <RowList>
            <LinkRow to="/pages/about/detail" icon="info">
              {m.personal_about_detail()}
            </LinkRow>
            <LinkRow to="/pages/about/agreement" icon="contract">
              {m.personal_agreement()}
            </LinkRow>
            <LinkRow to="/pages/about/privacy" icon="shield">
              {m.personal_privacy()}
            </LinkRow>
          </RowList>
        )}
      </div>
    </Page>
  )
}
