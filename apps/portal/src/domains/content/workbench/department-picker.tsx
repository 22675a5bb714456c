import './workbench-page.css'
import type { Department } from '@atrium/contract/content/workbench.operator'
import type { Static } from '@atrium/contract/define'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { SelectField } from '#ui/form/select.tsx'
import { useDepartments } from './workbench-queries.ts'

type PickerProps = {
  /** code; empty means all departments */
  department: string | undefined
  onChoose: (department: string | undefined) => void
  departments?: readonly Static<typeof Department>[] | undefined
}

/** Selects the department to show; renders nothing if there is only one. */
export function DepartmentPicker({ department, onChoose, departments }: PickerProps) {
  const { data, isPending } = useDepartments()
  const list = departments ?? data?.departments ?? []
  // Shown while loading: most users have several departments, and showing it later would shift the content.
  if (list.length < 2 && !department && !isPending) return null
  const isKnown = list.some(({ code }) => code === department)
  return (
    <div className="workbench-department">
      <SelectField
        label={m.workbench_department()}
        value={department ?? ''}
        onValue={(code) => onChoose(code || undefined)}
      >
        <option value="">{m.workbench_all_departments()}</option>
        {department && !isKnown ? <option value={department}>{department}</option> : null}
        {list.map(({ code, name, nameEn }) => (
          <option key={code} value={code}>
            {inLanguage(name, nameEn)}
          </option>
        ))}
      </SelectField>
    </div>
  )
}
