import '#domains/content/workbench/workbench-page.css'
import {
  catalogue,
  type ServiceContent,
} from '@atrium/contract/services/service-catalogue.operator'
import { serviceTypes } from '@atrium/contract/services/service-types.operator'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useDepartments } from '#domains/content/workbench/workbench-queries.ts'
import { deleteDraft } from '#lib/drafts.ts'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { Sheet } from '#ui/feedback/dialog.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftFields } from '#ui/form/draft-form.tsx'
import { Field } from '#ui/form/field.tsx'
import { SelectField } from '#ui/form/select.tsx'
import { changed } from './catalogue-queries.ts'

const draft = 'catalogue.new'
const fields = ['serviceName', 'serviceNameEn', 'serviceNo', 'serviceUrl'] as const
type Name = (typeof fields)[number]
const labels: Record<Name, () => string> = {
  serviceName: m.service_catalogue_name,
  serviceNameEn: m.service_catalogue_name_en,
  serviceNo: m.service_catalogue_number,
  serviceUrl: m.service_catalogue_url,
}
const maxLengths: Record<Name, number> = {
  serviceName: 60,
  serviceNameEn: 100,
  serviceNo: 64,
  serviceUrl: 2000,
}

/** Initial values of the fields filled in later. */
const rest: Omit<ServiceContent, Name | 'typeId' | 'organizationId'> = {
  desc: '',
  descEn: '',
  contactInformation: '',
  runTime: '',
  notice: '',
  noticeEn: '',
  tags: [],
  opening: 'auto',
  miniProgram: null,
  tokenAccept: null,
  serviceType: '',
  audience: [{ effect: 'include', kind: 'everybody', target: '' }],
  icon: { glyph: 'grid', tone: 'blue' },
  iconFileId: null,
  cardFileId: null,
  marks: [],
  terminals: [],
  recommended: false,
  forceRecommended: false,
  needsVpn: false,
  validFrom: null,
  validUntil: null,
  serviceSource: '',
  techType: '',
  position: 0,
}

type NewServiceProps = {
  open: boolean
  /** code of the selected department */
  department: string | undefined
  onClose: () => void
  onCreated: (id: string) => void
}

/** Creates a service; members see it once the rest is filled in and it is turned on. */
export function NewService({ open, department, onClose, onCreated }: NewServiceProps) {
  const types = useQuery({ ...q(serviceTypes.list), enabled: open })
  const offered = useDepartments().data
  const departments = offered?.departments ?? []
  const [texts, setTexts] = useState<Record<Name, string>>({
    serviceName: '',
    serviceNameEn: '',
    serviceNo: '',
    serviceUrl: '',
  })
  const [typeId, setTypeId] = useState('')
  const [code, setCode] = useState(department ?? '')
  const [issues, setIssues] = useState<Record<string, string>>({})
  const { mutate, isPending } = useAction(catalogue.create, {
    invalidates: changed,
    failed(error) {
      if (error.code === 'service.number_taken') setIssues({ serviceNo: error.message })
      else setIssues(error.fields)
      return error.code === 'service.number_taken' || Object.keys(error.fields).length > 0
    },
    done({ serviceId }) {
      deleteDraft(draft)
      toast(m.service_catalogue_made())
      onCreated(serviceId)
    },
  })
  // Only operators of the whole institution may leave the department empty.
  const chosen =
    departments.find((one) => one.code === code) ?? (offered?.whole ? undefined : departments[0])
  const make = () => {
    const missing = (['serviceName', 'serviceNo', 'serviceUrl'] as const).filter(
      (name) => !texts[name].trim(),
    )
    setIssues(Object.fromEntries(missing.map((name) => [name, m.service_catalogue_needed()])))
    const type = typeId || types.data?.[0]?.id
    if (missing.length > 0 || !type) return
    mutate({
      body: {
        ...texts,
        typeId: type,
        organizationId: chosen?.id ?? null,
        ...rest,
        online: false,
      },
    })
  }
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={m.service_catalogue_new()}
      actions={
        <Button busy={isPending} onClick={make}>
          {m.service_catalogue_make()}
        </Button>
      }
    >
      <DraftFields draft={draft} className="workbench-set">
        <p className="muted">{m.service_catalogue_new_text()}</p>
        {fields.map((name) => (
          <Field
            key={name}
            label={labels[name]()}
            name={name}
            value={texts[name]}
            onValue={(value) => setTexts((before) => ({ ...before, [name]: value }))}
            maxLength={maxLengths[name]}
            autoCapitalize="none"
            {...(name === 'serviceNo' && { hint: m.service_catalogue_number_hint() })}
            {...(name === 'serviceUrl' && { hint: m.service_catalogue_url_hint() })}
            {...(issues[name] && { error: issues[name] })}
          />
        ))}
        <SelectField
          label={m.service_catalogue_type()}
          name="typeId"
          value={typeId}
          onValue={setTypeId}
        >
          {types.data?.map((one) => (
            <option key={one.id} value={one.id}>
              {inLanguage(one.name, one.nameEn)}
            </option>
          ))}
        </SelectField>
        {departments.length > 1 || offered?.whole ? (
          <SelectField
            label={m.service_catalogue_department()}
            name="department"
            value={chosen?.code ?? ''}
            onValue={setCode}
          >
            {offered?.whole ? (
              <option value="">{m.service_catalogue_no_department()}</option>
            ) : null}
            {departments.map((one) => (
              <option key={one.code} value={one.code}>
                {inLanguage(one.name, one.nameEn)}
              </option>
            ))}
          </SelectField>
        ) : null}
      </DraftFields>
    </Sheet>
  )
}
