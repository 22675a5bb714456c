import '#domains/content/workbench/workbench-page.css'
import type { ManagedService } from '@atrium/contract/services/service-catalogue.operator'
import { type ServicePage, servicePages } from '@atrium/contract/services/service-pages.operator'
import { type SubmitEvent, useState } from 'react'
import type { ApiError } from '#lib/api.ts'
import { deleteDraft } from '#lib/drafts.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftForm } from '#ui/form/draft-form.tsx'
import { Field } from '#ui/form/field.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { usePages } from './catalogue-queries.ts'

/** Pages within a service that can be found in the search. */
export function PagesPart({ service: { serviceId, serviceUrl } }: { service: ManagedService }) {
  const pages = usePages(serviceId)
  const [chosen, setChosen] = useState<ServicePage | 'new'>()
  const close = () => setChosen(undefined)
  if (chosen)
    return (
      <PageForm
        serviceId={serviceId}
        page={chosen === 'new' ? undefined : chosen}
        url={serviceUrl}
        onDone={close}
      />
    )
  return (
    <Card>
      <QueryView
        query={pages}
        skeleton={<Skeleton rows={2} height={56} label={m.shell_loading()} />}
        isEmpty={(list) => list.length === 0}
        empty={
          <Empty icon="link" title={m.service_catalogue_pages_none()}>
            {m.service_catalogue_pages_none_text()}
          </Empty>
        }
      >
        {(list) => (
          <ul className="workbench-set-rows">
            {list.map((page) => (
              <PageRow key={page.id} page={page} onEdit={() => setChosen(page)} />
            ))}
          </ul>
        )}
      </QueryView>
      <div className="workbench-set-actions">
        <Button small onClick={() => setChosen('new')}>
          {m.service_catalogue_page_add()}
        </Button>
      </div>
    </Card>
  )
}

function PageRow({ page, onEdit }: { page: ServicePage; onEdit: () => void }) {
  const name = inLanguage(page.name, page.nameEn)
  const remove = useAction(servicePages.remove, {
    invalidates: [servicePages.list],
    done: () => toast(m.service_catalogue_page_removed()),
  })
  return (
    <li className="workbench-set-row">
      <span className="workbench-set-words">
        <span>{name}</span>
        <span className="muted workbench-set-text">{page.url}</span>
      </span>
      <IconButton label={m.service_catalogue_page_edit({ name })} onClick={onEdit}>
        <Icon name="edit" />
      </IconButton>
      <IconButton
        label={m.service_catalogue_page_remove({ name })}
        disabled={remove.isPending}
        onClick={() => remove.mutate({ params: { id: page.id }, query: { version: page.version } })}
      >
        <Icon name="trash" />
      </IconButton>
    </li>
  )
}

type PageFormProps = {
  serviceId: string
  page: ServicePage | undefined
  url: string
  onDone: () => void
}

function PageForm({ serviceId, page, url, onDone }: PageFormProps) {
  const draft = `catalogue.page ${serviceId} ${page?.id ?? 'new'}`
  const [fields, setFields] = useState({
    name: page?.name ?? '',
    nameEn: page?.nameEn ?? '',
    url: page?.url ?? url,
    fieldName: page?.fieldName ?? '',
    fieldNameEn: page?.fieldNameEn ?? '',
  })
  const [words, setWords] = useState(page?.words.join('，') ?? '')
  const [issues, setIssues] = useState<Record<string, string>>({})
  const set = (part: Partial<typeof fields>) => setFields((now) => ({ ...now, ...part }))
  const options = {
    invalidates: [servicePages.list],
    failed(error: ApiError) {
      const fieldErrors =
        error.code === 'service.page_elsewhere' ? { url: error.message } : error.fields
      setIssues(fieldErrors)
      return Object.keys(fieldErrors).length > 0
    },
    done() {
      deleteDraft(draft)
      toast(m.service_catalogue_saved())
      onDone()
    },
  }
  const create = useAction(servicePages.create, options)
  const update = useAction(servicePages.update, options)
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!fields.name.trim()) return setIssues({ name: m.service_catalogue_needs_name() })
    const list = words.split(/[,，;；、]/).map((word) => word.trim())
    const body = { ...fields, words: [...new Set(list.filter(Boolean))] }
    if (page) update.mutate({ params: { id: page.id }, body: { ...body, version: page.version } })
    else create.mutate({ params: { serviceId }, body })
  }
  return (
    <Card>
      <DraftForm draft={draft} className="workbench-set" onSubmit={send} noValidate>
        <Field
          label={m.service_catalogue_page_name()}
          value={fields.name}
          onValue={(name) => set({ name })}
          maxLength={60}
          error={issues.name ?? ''}
        />
        <Field
          label={m.service_catalogue_page_name_en()}
          value={fields.nameEn}
          onValue={(nameEn) => set({ nameEn })}
          maxLength={120}
        />
        <Field
          label={m.service_catalogue_page_url()}
          value={fields.url}
          onValue={(address) => set({ url: address })}
          maxLength={500}
          hint={m.service_catalogue_page_url_hint({ placeholder: '{keyWords}' })}
          error={issues.url ?? ''}
        />
        {fields.url.includes('{keyWords}') ? (
          <>
            <Field
              label={m.service_catalogue_page_field()}
              value={fields.fieldName}
              onValue={(fieldName) => set({ fieldName })}
              maxLength={30}
              error={issues.fieldName ?? ''}
            />
            <Field
              label={m.service_catalogue_page_field_en()}
              value={fields.fieldNameEn}
              onValue={(fieldNameEn) => set({ fieldNameEn })}
              maxLength={60}
            />
          </>
        ) : null}
        <Field
          label={m.service_catalogue_page_words()}
          value={words}
          onValue={setWords}
          hint={m.service_catalogue_tags_hint()}
          error={issues.words ?? ''}
        />
        <div className="workbench-set-actions">
          <Button type="submit" busy={create.isPending || update.isPending}>
            {m.service_catalogue_save()}
          </Button>
          <Button kind="plain" onClick={onDone}>
            {m.service_catalogue_cancel()}
          </Button>
        </div>
      </DraftForm>
    </Card>
  )
}
