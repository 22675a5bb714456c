import './guide.css'
import { type Guide, services } from '@atrium/contract/services/services'
import { useQuery } from '@tanstack/react-query'
import { useOpenService } from '#domains/services/service-opening/open-service.ts'
import { formatDay, formatFileSize } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { q, setAnswer } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { getTextSize } from '#shell/preferences.ts'
import { Bilingual } from '#ui/bilingual.tsx'
import { Card } from '#ui/card.tsx'
import { Button } from '#ui/form/button.tsx'
import { Switch } from '#ui/form/switch.tsx'
import { Icon } from '#ui/media/icon.tsx'

// The parts of a guide, arranged differently by newGuide and serviceGuide. Operators' texts are rendered as plain text.

export const useGuide = (serviceId: string) =>
  useQuery({ ...q(services.guide, { query: { serviceId } }), enabled: serviceId !== '' })

export function Intro({ guide }: { guide: Guide }) {
  if (!guide.intro && !guide.introEn) return null
  return (
    <Card title={m.services_guide_intro()}>
      <p className="guide-text">
        <Bilingual zh={guide.intro} en={guide.introEn} />
      </p>
    </Card>
  )
}

/** Who may apply, where, when, and whom to ask. */
export function Facts({ guide }: { guide: Guide }) {
  const facts: [string, string, string][] = [
    [m.services_guide_who(), guide.appliesTo, guide.appliesToEn],
    [m.services_guide_where(), guide.place, guide.placeEn],
    [m.services_hours(), guide.hours, guide.hoursEn],
    [m.services_contact(), guide.contact, guide.contactEn],
    [m.services_guide_department(), guide.departmentName, guide.departmentNameEn],
  ]
  return (
    <Card title={m.services_guide_facts()}>
      <dl className="guide-facts">
        {facts
          .filter(([, zh, en]) => zh || en)
          .map(([name, zh, en]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <Bilingual zh={zh} en={en} />
              </dd>
            </div>
          ))}
      </dl>
      <p className="muted guide-updated">
        {m.services_guide_updated({ day: formatDay(guide.updatedAt) })}
      </p>
    </Card>
  )
}

export function Steps({ guide }: { guide: Guide }) {
  if (guide.steps.length === 0) return null
  return (
    <Card title={m.services_guide_steps()}>
      <ol className="guide-steps">
        {guide.steps.map(({ title, titleEn, content, contentEn }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have no key of their own and never move on the screen
          <li key={at}>
            <h3>
              <Bilingual zh={title} en={titleEn} />
            </h3>
            {content || contentEn ? (
              <p className="guide-text muted">
                <Bilingual zh={content} en={contentEn} />
              </p>
            ) : null}
          </li>
        ))}
      </ol>
    </Card>
  )
}

export function Materials({ guide }: { guide: Guide }) {
  if (guide.materials.length === 0) return null
  return (
    <Card title={m.services_guide_materials()}>
      <ul className="guide-materials">
        {guide.materials.map(({ name, nameEn, note, noteEn, required, copies }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: as the steps
          <li key={at}>
            <h3>
              <Bilingual zh={name} en={nameEn} />
              <span className={required ? 'guide-need guide-need-must' : 'guide-need'}>
                {required ? m.services_guide_required() : m.services_guide_optional()}
              </span>
              {copies > 0 ? (
                <span className="guide-need num">{m.services_guide_copies({ count: copies })}</span>
              ) : null}
            </h3>
            {note || noteEn ? (
              <p className="guide-text muted">
                <Bilingual zh={note} en={noteEn} />
              </p>
            ) : null}
          </li>
        ))}
      </ul>
    </Card>
  )
}

export function Attachments({ guide }: { guide: Guide }) {
  if (guide.attachments.length === 0) return null
  return (
    <Card title={m.services_guide_attachments()}>
      <ul className="guide-files">
        {guide.attachments.map(({ name, nameEn, url, byteSize }) => (
          <li key={url}>
            <a href={url} target="_blank" rel="noopener">
              <Icon name="file" />
              <span>{inLanguage(name, nameEn)}</span>
              <span className="muted num">{formatFileSize(byteSize)}</span>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Opens the service, and sets whether the guide is shown before it next time. */
export function GuideFoot({ serviceId }: { serviceId: string }) {
  const { open, opening } = useOpenService()
  const key = q(services.findGuideAlert, { params: { serviceId } })
  const { data } = useQuery(key)
  const setDismissed = (dismissed: boolean) => setAnswer(key, { dismissed })
  const failed = (shown: boolean) => () => {
    setDismissed(shown)
    return false
  }
  const set = useAction(services.setGuideAlert, { failed: failed(false) })
  const unset = useAction(services.deleteGuideAlert, { failed: failed(true) })
  const dismiss = (dismissed: boolean) => {
    setDismissed(dismissed)
    const action = dismissed ? set : unset
    action.mutate({ params: { serviceId } })
  }
  return (
    <div className={`bottom-bar guide-foot ${getTextSize() > 130 ? 'guide-foot-large' : ''}`}>
      <Switch
        label={m.services_guide_dismiss()}
        checked={data?.dismissed ?? false}
        disabled={!data || set.isPending || unset.isPending}
        onChange={dismiss}
      />
      <Button wide busy={opening === serviceId} onClick={() => open(serviceId, true)}>
        {m.services_guide_go()}
      </Button>
    </div>
  )
}
