import './privacy.css'
import type { ShowTo } from '@atrium/contract/member/privacy'
import { Choice } from '#domains/member/personal/choice.tsx'
import { m } from '#paraglide/messages.js'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Switch } from '#ui/form/switch.tsx'
import { usePrivacySettings } from './privacy-queries.ts'

/** Who may see which data, and what may be stored. Takes effect immediately. */
export default function PrivacySettingsPage() {
  const { query, change } = usePrivacySettings()
  return (
    <Page onRefresh={() => query.refetch()}>
      <div className="column stack">
        <QueryView query={query} skeleton={<Skeleton height={420} label={m.shell_loading()} />}>
          {(settings) => (
            <>
              <Card>
                <div className="privacy-choices">
                  {fields.map(({ field, label }) => (
                    <Choice
                      key={field}
                      name={`privacy-${field}`}
                      label={label()}
                      items={audience()}
                      value={settings[field]}
                      onChange={(shownTo) => change({ [field]: shownTo })}
                    />
                  ))}
                </div>
                <p className="privacy-note">{m.privacy_shown_note()}</p>
              </Card>
              <Card>
                <div className="privacy-switches">
                  <Switch
                    label={m.privacy_use_recorded()}
                    checked={settings.useRecorded}
                    onChange={(useRecorded) => change({ useRecorded })}
                  />
                  <p className="muted">{m.privacy_use_recorded_note()}</p>
                  <Switch
                    label={m.privacy_letters()}
                    checked={settings.lettersAllowed}
                    onChange={(lettersAllowed) => change({ lettersAllowed })}
                  />
                  <p className="muted">{m.privacy_letters_note()}</p>
                  <Switch
                    label={m.privacy_listed()}
                    checked={settings.listed}
                    onChange={(listed) => change({ listed })}
                  />
                  <p className="muted">{m.privacy_listed_note()}</p>
                </div>
              </Card>
            </>
          )}
        </QueryView>
      </div>
    </Page>
  )
}

const fields = [
  { field: 'mobile', label: m.privacy_mobile },
  { field: 'email', label: m.privacy_email },
  { field: 'portrait', label: m.privacy_portrait },
] as const

const audience = (): { value: ShowTo; label: string }[] => [
  { value: 'everybody', label: m.privacy_everybody() },
  { value: 'organization', label: m.privacy_organization() },
  { value: 'nobody', label: m.privacy_nobody() },
]
