import './sending-templates.css'
import type { Body } from '@atrium/contract/define'
import { sendingTemplates } from '@atrium/contract/work/sending/templates'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { QueryView } from '#shell/page/query-view.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { RichText } from '#ui/media/rich-text.tsx'

type WrittenText = Omit<Body<typeof sendingTemplates.previewAs>, 'at'>

/** The message as each recipient will read it, one at a time. */
export function PreviewAs({ written }: { written: WrittenText }) {
  const [index, setIndex] = useState(0)
  const query = useQuery(q(sendingTemplates.previewAs, { body: { ...written, at: index } }))
  return (
    <section className="preview-as" aria-label={m.sending_templates_preview()}>
      <QueryView query={query} skeleton={<Skeleton rows={3} label={m.shell_loading()} />}>
        {({ name, more, title, titleEn, content, contentEn }) => (
          <>
            <div className="preview-as-head">
              <span className="muted" role="status">
                {name ? m.sending_templates_preview_as({ name }) : m.sending_templates_preview()}
              </span>
              {name && (index > 0 || more) ? (
                <span className="preview-as-steps">
                  <IconButton
                    label={m.sending_templates_preview_before()}
                    disabled={index === 0}
                    onClick={() => setIndex(index - 1)}
                  >
                    <Icon name="back" />
                  </IconButton>
                  <IconButton
                    label={m.sending_templates_preview_next()}
                    disabled={!more}
                    onClick={() => setIndex(index + 1)}
                  >
                    <Icon name="chevron" />
                  </IconButton>
                </span>
              ) : null}
            </div>
            <p className="preview-as-title">{inLanguage(title, titleEn)}</p>
            {content || contentEn ? <RichText html={inLanguage(content, contentEn)} /> : null}
          </>
        )}
      </QueryView>
    </section>
  )
}
