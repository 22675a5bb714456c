import './sending-templates.css'
import type { Reply } from '@atrium/contract/define'
import { type SendingTemplate, sendingTemplates } from '@atrium/contract/work/sending/templates'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Facts } from '#ui/facts.tsx'
import { Sheet } from '#ui/feedback/dialog.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { SearchForm } from '#ui/form/search-form.tsx'
import { Icon } from '#ui/media/icon.tsx'

type Texts = Pick<
  Reply<typeof sendingTemplates.read>,
  'kind' | 'format' | 'title' | 'titleEn' | 'content' | 'contentEn'
>
type TemplatesSheetProps = {
  open: boolean
  onClose: () => void
  onChoose: (texts: Texts) => void
}

/** The user's own templates and those shared by colleagues, to start a message from. */
export const TemplatesSheet = ({ open, onClose, onChoose }: TemplatesSheetProps) => (
  <Sheet open={open} onClose={onClose} title={m.sending_templates()}>
    {open ? <Templates onChoose={onChoose} /> : null}
  </Sheet>
)

function Templates({ onChoose }: Pick<TemplatesSheetProps, 'onChoose'>) {
  const [keyWords, setKeyWords] = useState('')
  const query = useQuery(q(sendingTemplates.list, { query: { ...(keyWords && { keyWords }) } }))
  const client = useQueryClient()
  const choose = async ({ templateId }: SendingTemplate) => {
    try {
      const { kind, format, title, titleEn, content, contentEn } = await client.fetchQuery(
        q(sendingTemplates.read, { params: { templateId } }),
      )
      onChoose({ kind, format, title, titleEn, content, contentEn })
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <div className="stack">
      {keyWords || (query.data?.list.length ?? 0) > 7 ? (
        <SearchForm
          label={m.sending_templates_search()}
          keyWords={keyWords}
          focus={false}
          onSearch={setKeyWords}
        />
      ) : null}
      <QueryView
        query={query}
        skeleton={<Skeleton rows={3} height={64} label={m.shell_loading()} />}
        isEmpty={({ list }) => list.length === 0}
        empty={
          <Empty icon="clipboard" title={m.sending_templates_none()}>
            {m.sending_templates_none_hint()}
          </Empty>
        }
      >
        {({ list, more }) => (
          <>
            <ul className="template-list" aria-label={m.sending_templates()}>
              {list.map((one) => (
                <Template key={one.templateId} template={one} onChoose={() => void choose(one)} />
              ))}
            </ul>
            {more ? <p className="muted">{m.sending_templates_more()}</p> : null}
          </>
        )}
      </QueryView>
    </div>
  )
}

function Template({ template, onChoose }: { template: SendingTemplate; onChoose: () => void }) {
  const { templateId, name, own, keeper, keeperEn, sharedWith, title, titleEn } = template
  const [sure, setSure] = useState(false)
  const remove = useAction(sendingTemplates.remove, {
    invalidates: [sendingTemplates.list],
    done: () => toast(m.sending_templates_removed()),
  })
  const about = [
    inLanguage(title, titleEn),
    own ? '' : m.sending_templates_keeper({ name: inLanguage(keeper, keeperEn) }),
    sharedWith
      ? m.sending_templates_shared({ name: inLanguage(sharedWith.name, sharedWith.nameEn) })
      : '',
  ]
  return (
    <li>
      <button type="button" className="template-choice" onClick={onChoose}>
        <span className="template-name">{name}</span>
        <span className="muted">
          <Facts of={about} />
        </span>
      </button>
      {own ? (
        <IconButton
          label={
            sure ? m.sending_templates_remove_sure({ name }) : m.sending_templates_remove({ name })
          }
          aria-pressed={sure}
          onClick={() => (sure ? remove.mutate({ params: { templateId } }) : setSure(true))}
        >
          <Icon name={sure ? 'check' : 'trash'} />
        </IconButton>
      ) : null}
    </li>
  )
}
