import type { ManagedGuide } from '@atrium/contract/services/service-catalogue.operator'
import { m } from '#paraglide/messages.js'
import { Button } from '#ui/form/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { Switch } from '#ui/form/switch.tsx'
import { TextArea } from '#ui/form/text-area.tsx'

export type Step = ManagedGuide['steps'][number]
export type Material = ManagedGuide['materials'][number]

const maxItems = 50
const changed = <T,>(list: readonly T[], at: number, part: Partial<T>) =>
  list.map((one, index) => (index === at ? { ...one, ...part } : one))
const without = <T,>(list: readonly T[], at: number) => list.filter((_, index) => index !== at)

type StepsProps = {
  steps: Step[]
  issues: Record<string, string>
  onSteps: (steps: Step[]) => void
}

/** The steps of a guide, in order. */
export function Steps({ steps, issues, onSteps }: StepsProps) {
  return (
    <fieldset className="workbench-group">
      <legend>{m.service_catalogue_steps()}</legend>
      {steps.map((step, at) => {
        const number = at + 1
        const set = (part: Partial<Step>) => onSteps(changed(steps, at, part))
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is what stands in its place
          <div key={at} className="workbench-pairs">
            <Field
              label={m.service_catalogue_step_title({ number })}
              value={step.title}
              onValue={(title) => set({ title })}
              maxLength={60}
              error={issues[`steps.${at}.title`] ?? ''}
            />
            <Field
              label={m.service_catalogue_step_title_en({ number })}
              value={step.titleEn}
              onValue={(titleEn) => set({ titleEn })}
              maxLength={120}
            />
            <TextArea
              label={m.service_catalogue_step_text({ number })}
              value={step.content}
              onValue={(content) => set({ content })}
              maxLength={2000}
              rows={2}
            />
            <TextArea
              label={m.service_catalogue_step_text_en({ number })}
              value={step.contentEn}
              onValue={(contentEn) => set({ contentEn })}
              maxLength={4000}
              rows={2}
            />
            <Button kind="plain" small onClick={() => onSteps(without(steps, at))}>
              {m.service_catalogue_step_remove({ number })}
            </Button>
          </div>
        )
      })}
      <Button
        kind="plain"
        wide
        disabled={steps.length >= maxItems}
        onClick={() => onSteps([...steps, { title: '', titleEn: '', content: '', contentEn: '' }])}
      >
        {m.service_catalogue_step_add()}
      </Button>
    </fieldset>
  )
}

type MaterialsProps = {
  materials: Material[]
  issues: Record<string, string>
  onMaterials: (materials: Material[]) => void
}

/** The required materials. */
export function Materials({ materials, issues, onMaterials }: MaterialsProps) {
  return (
    <fieldset className="workbench-group">
      <legend>{m.service_catalogue_materials()}</legend>
      {materials.map((material, at) => {
        const number = at + 1
        const set = (part: Partial<Material>) => onMaterials(changed(materials, at, part))
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a material is what stands in its place
          <div key={at} className="workbench-pairs">
            <Field
              label={m.service_catalogue_material_name({ number })}
              value={material.name}
              onValue={(name) => set({ name })}
              maxLength={60}
              error={issues[`materials.${at}.name`] ?? ''}
            />
            <Field
              label={m.service_catalogue_material_name_en({ number })}
              value={material.nameEn}
              onValue={(nameEn) => set({ nameEn })}
              maxLength={120}
            />
            <Field
              label={m.service_catalogue_material_note({ number })}
              value={material.note}
              onValue={(note) => set({ note })}
              maxLength={500}
            />
            <Field
              label={m.service_catalogue_material_note_en({ number })}
              value={material.noteEn}
              onValue={(noteEn) => set({ noteEn })}
              maxLength={1000}
            />
            <Switch
              label={m.service_catalogue_material_required({ number })}
              checked={material.required}
              onChange={(required) => set({ required })}
            />
            <Button kind="plain" small onClick={() => onMaterials(without(materials, at))}>
              {m.service_catalogue_material_remove({ number })}
            </Button>
          </div>
        )
      })}
      <Button
        kind="plain"
        wide
        disabled={materials.length >= maxItems}
        onClick={() =>
          onMaterials([
            ...materials,
            { name: '', nameEn: '', note: '', noteEn: '', required: true, copies: 1 },
          ])
        }
      >
        {m.service_catalogue_material_add()}
      </Button>
    </fieldset>
  )
}
