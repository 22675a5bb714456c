import './settings-page.css'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { getLanguage, setLanguage } from '#lib/language.ts'
import { removeAll } from '#lib/storage.ts'
import { m } from '#paraglide/messages.js'
import { Page } from '#shell/page.tsx'
import { getMoreContrast, getScheme, setMoreContrast, setScheme } from '#shell/preferences.ts'
import { Card } from '#ui/card.tsx'
import { RowContent, RowList } from '#ui/list-row.tsx'
import { Switch } from '#ui/switch.tsx'
import { toast } from '#ui/toast.tsx'
import { Choice } from './choice.tsx'
import { TextSize } from './text-size.tsx'

/** How the portal looks and speaks on this device. */
export default function SettingsPage() {
  const [scheme, chooseScheme] = useState(getScheme)
  const [contrast, chooseContrast] = useState(getMoreContrast)
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
        </Card>
        <ClearCache />
      </div>
    </Page>
  )
}

/** Forgets what was kept for a start without a network; what shows now is fetched anew. */
function ClearCache() {
  const client = useQueryClient()
  const clear = () => {
    removeAll('kept:')
    client.removeQueries({ type: 'inactive' })
    void client.invalidateQueries()
    toast(m.personal_cache_cleared())
  }
  return (
    <RowList>
      <li>
        <button type="button" className="list-row" onClick={clear}>
          <RowContent icon="trash">{m.personal_clear_cache()}</RowContent>
        </button>
      </li>
    </RowList>
  )
}
