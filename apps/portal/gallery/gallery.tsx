/**
 * Shows every component of src/ui in its states, for developers: `npm run dev`, then /gallery/ of the portal. Not part
 * of the members' build. e2e/gallery.spec.ts opens it.
 */
import '#ui/tokens.css'
import '#ui/base.css'
import '../src/shell/page/page.css'
import './gallery.css'
import type { Language } from '@atrium/contract/error-texts'
import { type ReactNode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { getLanguage, inLanguage, setLanguage, useLanguage } from '#lib/language.ts'
import {
  applyPreferences,
  getMoreContrast,
  getScheme,
  getTextSize,
  type Scheme,
  setMoreContrast,
  setScheme,
  setTextSize,
  textSizes,
} from '#shell/preferences.ts'
import { Toasts } from '../src/ui/feedback/toast.tsx'
import { SelectField } from '../src/ui/form/select.tsx'
import { Choices } from './choices.tsx'
import { Forms } from './forms.tsx'
import { Frames } from './frames.tsx'
import { Rows } from './rows.tsx'
import { Words } from './words.tsx'

function Gallery() {
  const language = useLanguage()
  return (
    <main className="gallery stack" key={language}>
      <h1>{inLanguage('界面组件', 'Components')}</h1>
      <Controls />
      <Words />
      <Rows />
      <Frames />
      <Choices />
      <Forms />
      <Toasts />
    </main>
  )
}

function Controls() {
  return (
    <div className="gallery-controls">
      <Choice
        label={inLanguage('语言', 'Language')}
        values={['zh', 'en']}
        value={getLanguage()}
        onValue={(value) => setLanguage(value as Language)}
      />
      <Choice
        label={inLanguage('外观', 'Scheme')}
        values={['system', 'light', 'dark']}
        value={getScheme()}
        onValue={(value) => setScheme(value as Scheme)}
      />
      <Choice
        label={inLanguage('对比度', 'Contrast')}
        values={['normal', 'more']}
        value={getMoreContrast() ? 'more' : 'normal'}
        onValue={(value) => setMoreContrast(value === 'more')}
      />
      <Choice
        label={inLanguage('文字大小', 'Text size')}
        values={textSizes.map(String)}
        value={String(getTextSize())}
        onValue={(value) => setTextSize(Number(value))}
      />
    </div>
  )
}

type ChoiceProps = {
  label: string
  values: readonly string[]
  value: string
  onValue: (value: string) => void
}

function Choice({ label, values, value, onValue }: ChoiceProps): ReactNode {
  const [chosen, choose] = useState(value)
  return (
    <SelectField
      label={label}
      value={chosen}
      onValue={(next) => {
        choose(next)
        onValue(next)
      }}
    >
      {values.map((one) => (
        <option key={one}>{one}</option>
      ))}
    </SelectField>
  )
}

applyPreferences()
createRoot(document.getElementById('root') as HTMLElement).render(<Gallery />)
