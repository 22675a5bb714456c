import { lazy, Suspense, useRef, useState } from 'react'
import { SaveTemplate } from '#domains/work/sending-templates/save-template.tsx'
import { TemplatesSheet } from '#domains/work/sending-templates/templates-sheet.tsx'
import { m } from '#paraglide/messages.js'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { Switch } from '#ui/form/switch.tsx'
import { TextArea } from '#ui/form/text-area.tsx'
import { changeDraft, useDraft } from './draft.ts'
import type { Rights } from './sending-queries.ts'
import { asHtml, htmlToText } from './text-format.ts'
import { VariableButtons } from './variables-card.tsx'

const RichTextField = lazy(() => import('#domains/content/rich-text/rich-text-field.tsx'))

type TextFieldsProps = {
  rights: Rights
  issues: Record<string, string>
  english: boolean
  onEnglish: (english: boolean) => void
  change: typeof changeDraft
}

/** The texts of a message, plain or formatted, in one language or two. */
export function TextFields({ rights, issues, english, onEnglish, change }: TextFieldsProps) {
  const draft = useDraft()
  const { title, titleEn, content, contentEn, format, kind } = draft
  const last = useRef<HTMLElement | null>(null)
  const [dialog, setDialog] = useState<'choose' | 'keep'>()
  const rich = format === 'html'
  const switchFormat = () => {
    const turn = rich ? htmlToText : asHtml
    change({
      format: rich ? 'text' : 'html',
      content: turn(content),
      contentEn: turn(contentEn),
    })
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only remembers which field had the caret last
    <div
      className="sending-form"
      onFocus={({ target }) => {
        if (target.matches('input[type=text], input:not([type]), textarea, [contenteditable=true]'))
          last.current = target
      }}
    >
      {rights.asMember ? null : (
        <div className="sending-text-tools">
          <Button kind="plain" small onClick={() => setDialog('choose')}>
            {m.sending_templates_choose()}
          </Button>
          <Button kind="plain" small disabled={!title.trim()} onClick={() => setDialog('keep')}>
            {m.sending_templates_keep()}
          </Button>
        </div>
      )}
      <Field
        label={m.sending_title_field()}
        value={title}
        onValue={(value) => change({ title: value })}
        maxLength={200}
        {...(issues.title && { error: issues.title })}
      />
      <Body
        rich={rich}
        label={m.sending_text_field()}
        lang="zh-CN"
        value={content}
        onValue={(value) => change({ content: value })}
      />
      {rights.asMember ? null : (
        <>
          <VariableButtons target={() => last.current} />
          <Switch label={m.sending_rich_text()} checked={rich} onChange={switchFormat} />
        </>
      )}
      <Switch label={m.sending_in_english()} checked={english} onChange={onEnglish} />
      {english ? (
        <>
          <Field
            label={m.sending_title_field_en()}
            value={titleEn}
            onValue={(value) => change({ titleEn: value })}
            maxLength={200}
            lang="en"
          />
          <Body
            rich={rich}
            label={m.sending_text_field_en()}
            lang="en"
            value={contentEn}
            onValue={(value) => change({ contentEn: value })}
          />
        </>
      ) : null}
      <TemplatesSheet
        open={dialog === 'choose'}
        onClose={() => setDialog(undefined)}
        onChoose={(template) => {
          const current = { title, titleEn, content, contentEn, format, kind }
          change({
            ...template,
            kind: rights.kinds.includes(template.kind) ? template.kind : kind,
          })
          if (template.titleEn || template.contentEn) onEnglish(true)
          setDialog(undefined)
          if (title || content)
            toast(m.sending_templates_taken(), {
              label: m.sending_undo(),
              run: () => changeDraft(current),
            })
        }}
      />
      <SaveTemplate
        open={dialog === 'keep'}
        texts={{ kind, format, title, titleEn, content, contentEn }}
        onClose={() => setDialog(undefined)}
      />
    </div>
  )
}

type BodyProps = {
  rich: boolean
  label: string
  lang: 'zh-CN' | 'en'
  value: string
  onValue: (value: string) => void
}

function Body({ rich, label, lang, value, onValue }: BodyProps) {
  if (!rich)
    return (
      <TextArea
        label={label}
        value={value}
        onValue={onValue}
        maxLength={10_000}
        rows={7}
        {...(lang === 'en' && { lang })}
      />
    )
  return (
    <Suspense fallback={<Skeleton height={240} label={m.shell_loading()} />}>
      <RichTextField
        label={label}
        placeholder={m.sending_text_placeholder()}
        lang={lang}
        html={value}
        onHtml={onValue}
      />
    </Suspense>
  )
}
