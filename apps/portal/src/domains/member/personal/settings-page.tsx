import './settings-page.css'
import { useState } from 'react'
import { getLanguage, setLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useSettings } from '#shell/config.ts'
import { ShakeSwitch } from '#shell/container/shake-switch.tsx'
import { LinkRow } from '#shell/navigation/link-row.tsx'
import { Page } from '#shell/page/page.tsx'
import { getMoreContrast, getScheme, setMoreContrast, setScheme } from '#shell/preferences.ts'
import { Card } from '#ui/card.tsx'
import { Switch } from '#ui/form/switch.tsx'
import { RowList } from '#ui/list-row.tsx'
import { Choice } from './choice.tsx'
import { DeviceRows } from './device-rows.tsx'
import { TextSize } from './text-size.tsx'

/** Appearance and language of the portal on this device. */
export default function SettingsPage() {
  const [scheme, chooseScheme] = useState(getScheme)
  const [contrast, chooseContrast] = useState(getMoreContrast)
  const { isShowSafeSet } = useSettings()
  return (
    <Page>
      <div className="column stack">
        <Card>
          <Choice
            label={m.personal_language()}
            name="language"
            items={[
              { value: 'zh', label: m.personal_chinese(), lang: 'zh-CN' },
              { value: 'en', label: m.personal_english(), lang: 'en' },
            ]}
            value={getLanguage()}
            onChange={setLanguage}
          />
        </Card>
        <Card>
          <TextSize />
        </Card>
        <Card>
          <Choice
            label={m.personal_appearance()}
            name="appearance"
            items={[
              { value: 'system', label: m.personal_scheme_system() },
              { value: 'light', label: m.personal_scheme_light() },
              { value: 'dark', label: m.personal_scheme_dark() },
            ]}
            value={scheme}
            onChange={(chosen) => {
              setScheme(chosen)
              chooseScheme(chosen)
            }}
          />
          <Switch
            label={m.personal_contrast()}
            checked={contrast}
            onChange={(more) => {
              setMoreContrast(more)
              chooseContrast(more)
            }}
          />
          <ShakeSwitch />
        </Card>
        <RowList>
          {isShowSafeSet === '1' ? (
            <LinkRow to="/pagesA/safeSet/safeSet" icon="shield">
              {m.account_title()}
            </LinkRow>
          ) : null}
          <LinkRow to="/pages/set/changeAccount" icon="swap">
            {m.login_account_change()}
          </LinkRow>
          <LinkRow to="/pages/set/notify" icon="bell">
            {m.notifications_title()}
          </LinkRow>
          <LinkRow to="/pages/set/home" icon="home">
            {m.home_arrange_title()}
          </LinkRow>
          <LinkRow to="/msgCenter/pages/news/personalSettingCenter" icon="news">
            {m.news_settings_title()}
          </LinkRow>
          <LinkRow to="/pages/privacy/privacy" icon="shield">
            {m.privacy_title()}
          </LinkRow>
        </RowList>
        <DeviceRows />
      </div>
    </Page>
  )
}
