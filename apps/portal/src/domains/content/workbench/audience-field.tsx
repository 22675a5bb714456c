import './workbench-page.css'
import { workbench } from '@atrium/contract/content/workbench.operator'
import type { Static } from '@atrium/contract/define'
import type { AudienceRule } from '@atrium/contract/shell/launch.operator'
import { useQuery } from '@tanstack/react-query'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { IconButton } from '#ui/form/icon-button.tsx'
import { SelectField } from '#ui/form/select.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { useDepartments } from './workbench-queries.ts'

type Rule = Static<typeof AudienceRule>
type AudienceFieldProps = {
  label: string
  value: readonly Rule[]
  onValue: (rules: Rule[]) => void
  error?: string | undefined
}

const keyOf = ({ effect, kind, target }: Rule) => `${effect} ${kind} ${target}`
const named = ({ kind }: Rule) => kind === 'organization' || kind === 'group'

/** The audience of an item: the chosen rules, each removable, and the rules that can be added. */
export function AudienceField({ label, value, onValue, error }: AudienceFieldProps) {
  const offered = useDepartments().data
  const targets = value.filter(named).map(({ target }) => target)
  const names = useQuery({
    ...q(workbench.audiences, { query: { targets: targets.join(',') } }),
    enabled: targets.length > 0,
    staleTime: 10 * 60_000,
  }).data?.names
  const nameOf = ({ kind, target }: Rule) => {
    if (kind === 'everybody') return m.workbench_audience_everybody()
    if (kind === 'guests') return m.workbench_audience_guests()
    const known =
      kind === 'identity'
        ? offered?.identityTypes.find(({ code }) => code === target)
        : names?.find((one) => one.kind === kind && one.code === target)
    return known ? inLanguage(known.name, known.nameEn) : target
  }
  const chosen = new Set(value.map(keyOf))
  const choices = [
    rule('everybody', ''),
    rule('guests', ''),
    ...(offered?.identityTypes ?? []).map(({ code }) => rule('identity', code)),
  ]
  const departments = (offered?.departments ?? []).filter(
    ({ code }) => !chosen.has(keyOf(rule('organization', code))),
  )
  const add = (key: string) => {
    const [kind, target = ''] = key.split(' ')
    onValue([...value, rule(kind as Rule['kind'], target)])
  }
  return (
    <div className="workbench-audience">
      <p className="workbench-audience-label">{label}</p>
      <ul aria-label={label}>
        {value.map((one) => (
          <li key={keyOf(one)} className="workbench-chip">
            <span>
              {one.effect === 'exclude'
                ? m.workbench_audience_not({ name: nameOf(one) })
                : nameOf(one)}
            </span>
            <IconButton
              label={m.workbench_audience_remove({ name: nameOf(one) })}
              onClick={() => onValue(value.filter((other) => other !== one))}
            >
              <Icon name="close" />
            </IconButton>
          </li>
        ))}
      </ul>
      {value.length === 0 || error ? (
        <p className="field-error" role="alert">
          {error ?? m.workbench_audience_nobody()}
        </p>
      ) : null}
      <SelectField label={m.workbench_audience_add()} value="" onValue={add}>
        <option value="">{m.workbench_audience_choose()}</option>
        {choices
          .filter((one) => !chosen.has(keyOf(one)))
          .map((one) => (
            <option key={keyOf(one)} value={`${one.kind} ${one.target}`}>
              {nameOf(one)}
            </option>
          ))}
        {departments.map(({ code, name, nameEn }) => (
          <option key={code} value={`organization ${code}`}>
            {inLanguage(name, nameEn)}
          </option>
        ))}
      </SelectField>
    </div>
  )
}

const rule = (kind: Rule['kind'], target: string): Rule => ({ effect: 'include', kind, target })
