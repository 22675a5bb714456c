import './diversion-page.css'
import { useEffect } from 'react'
import { inLanguage } from '#lib/language.ts'
import { read } from '#lib/storage.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { openAddress, performNavigation } from '#shell/navigation/navigation.ts'
import { homePath } from '#shell/navigation/screens.ts'
import { Button } from '#ui/form/button.tsx'
import { Icon } from '#ui/media/icon.tsx'

const toHome = () => performNavigation('relaunch', homePath())

/** Offers the stored destinations of the diversion page before home shows. */
export default function DiversionPage() {
  const { school } = useSystem()
  const page = read('fenliuInfo')
  useEffect(() => {
    if (!page) toHome()
  }, [page])
  if (!page) return null
  const open = (link: string) => {
    toHome()
    openAddress(link)
  }
  return (
    <main className="diversion" id="main">
      <header className="diversion-head">
        <p>{school}</p>
        <h1>{inLanguage(page.title, page.titleEn)}</h1>
      </header>
      <ul className="column diversion-list">
        {page.destinations.map((place) => (
          <li key={place.link + place.title}>
            <button type="button" className="diversion-place" onClick={() => open(place.link)}>
              {place.imageUrl ? <img src={place.imageUrl} alt="" /> : null}
              <span className="diversion-words">
                <span className="diversion-title">{inLanguage(place.title, place.titleEn)}</span>
                <span className="diversion-text">{inLanguage(place.text, place.textEn)}</span>
              </span>
              <Icon name="chevron" />
            </button>
          </li>
        ))}
      </ul>
      <div className="column">
        <Button kind="plain" wide onClick={toHome}>
          {m.shell_diversion_home()}
        </Button>
      </div>
    </main>
  )
}
