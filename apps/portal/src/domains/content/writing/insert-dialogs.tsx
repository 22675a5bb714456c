import type { UploadedFile } from '@atrium/contract/content/files'
import type { Editor } from '@tiptap/react'
import { useState } from 'react'
import { UploadField } from '#domains/content/files/upload-field.tsx'
import { completeAddress, LinkDialog } from '#domains/content/rich-text/link-dialog.tsx'
import { m } from '#paraglide/messages.js'
import { useSettings } from '#shell/config.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Button } from '#ui/form/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { Switch } from '#ui/form/switch.tsx'
import { TextArea } from '#ui/form/text-area.tsx'
import { drawFormula } from './draw-formula.ts'
import type { Insert } from './inserts.ts'

type InsertProps = { what: Insert; editor: Editor; onClose: () => void }

/** Dialogs for inserting content, or changing the selected content. */
export function InsertDialog({ what, ...rest }: InsertProps) {
  switch (what) {
    case 'link':
      return <LinkDialog {...rest} />
    case 'formula':
      return <FormulaDialog {...rest} />
    case 'picture':
      return <PictureDialog {...rest} />
    case 'film':
      return <FilmDialog {...rest} />
  }
}
type OneProps = Omit<InsertProps, 'what'>

function FormulaDialog({ editor, onClose }: OneProps) {
  const selected = ['inlineFormula', 'blockFormula'].find((name) => editor.isActive(name))
  const [tex, setTex] = useState(String(selected ? editor.getAttributes(selected).tex : ''))
  const [block, setBlock] = useState(selected === 'blockFormula')
  const drawn = tex.trim() ? drawFormula(tex, block) : ''
  return (
    <Dialog
      open
      onClose={onClose}
      title={m.writing_formula()}
      actions={
        <Button
          disabled={!drawn}
          onClick={() => {
            const type = block ? 'blockFormula' : 'inlineFormula'
            editor
              .chain()
              .focus()
              .insertContent({ type, attrs: { tex: tex.trim() } })
              .run()
            onClose()
          }}
        >
          {m.rich_text_insert()}
        </Button>
      }
    >
      <div className="writing-fields">
        <TextArea
          label={m.writing_formula_tex()}
          value={tex}
          onValue={setTex}
          maxLength={2000}
          rows={3}
          spellCheck={false}
          autoCapitalize="none"
          placeholder="E = mc^2"
          error={drawn === undefined ? m.writing_formula_issue() : ''}
        />
        <Switch label={m.writing_formula_block()} checked={block} onChange={setBlock} />
        <div
          className="writing-formula-shown rich-text-frame"
          role="img"
          aria-label={m.writing_formula_preview()}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: what KaTeX draws, without trust, from what is typed here
          dangerouslySetInnerHTML={{ __html: drawn ?? '' }}
        />
      </div>
    </Dialog>
  )
}

function PictureDialog({ editor, onClose }: OneProps) {
  const selected = editor.isActive('picture') ? editor.getAttributes('picture') : undefined
  const [src, setSrc] = useState(String(selected?.src ?? ''))
  const [alt, setAlt] = useState(String(selected?.alt ?? ''))
  const [caption, setCaption] = useState(String(selected?.caption ?? ''))
  const [decorative, setDecorative] = useState(false)
  const [busy, setBusy] = useState(false)
  const [issues, setIssues] = useState<{ src?: string; alt?: string }>({})
  const insert = () => {
    if (!src) return setIssues({ src: m.writing_picture_needed() })
    if (!alt.trim() && !decorative) return setIssues({ alt: m.writing_alt_needed() })
    const attrs = { src, alt: decorative ? '' : alt.trim(), caption: caption.trim() }
    editor.chain().focus().insertContent({ type: 'picture', attrs }).run()
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={m.writing_picture()}
      actions={
        <Button busy={busy} onClick={insert}>
          {m.rich_text_insert()}
        </Button>
      }
    >
      <div className="writing-fields">
        {selected ? (
          <img className="writing-picture-shown" src={src} alt={alt} />
        ) : (
          <UploadField
            label={m.writing_picture_file()}
            album
            max={1}
            onChange={([picture], sending) => {
              setBusy(sending)
              setSrc(picture?.url ?? '')
            }}
          />
        )}
        {issues.src ? (
          <p className="field-error" role="alert">
            {issues.src}
          </p>
        ) : null}
        <Field
          label={m.writing_alt()}
          value={alt}
          onValue={setAlt}
          maxLength={300}
          hint={m.writing_alt_hint()}
          error={issues.alt ?? ''}
          disabled={decorative}
        />
        <Switch label={m.writing_decorative()} checked={decorative} onChange={setDecorative} />
        <Field label={m.writing_caption()} value={caption} onValue={setCaption} maxLength={300} />
      </div>
    </Dialog>
  )
}

function FilmDialog({ editor, onClose }: OneProps) {
  const { mediaHosts } = useSettings()
  const [file, setFile] = useState<UploadedFile>()
  const [address, setAddress] = useState('')
  const [busy, setBusy] = useState(false)
  const [issue, setIssue] = useState('')
  const insert = () => {
    let src = file?.url ?? ''
    if (file && !file.mediaType.startsWith('video/')) return setIssue(m.writing_film_kind())
    if (!src) {
      const given = completeAddress(address)
      const host = given && new URL(given).host
      if (!given || !host) return setIssue(m.writing_film_needed())
      if (!hostsOf(mediaHosts).includes(host)) return setIssue(m.writing_film_host({ host }))
      src = given
    }
    editor.chain().focus().insertContent({ type: 'film', attrs: { src } }).run()
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={m.writing_film()}
      actions={
        <Button busy={busy} onClick={insert}>
          {m.rich_text_insert()}
        </Button>
      }
    >
      <div className="writing-fields">
        <UploadField
          label={m.writing_film_file()}
          max={1}
          onChange={([film], sending) => {
            setBusy(sending)
            setFile(film)
          }}
        />
        <Field
          label={m.writing_film_address()}
          value={address}
          onValue={setAddress}
          type="url"
          maxLength={2000}
          disabled={file !== undefined}
        />
        {issue ? (
          <p className="field-error" role="alert">
            {issue}
          </p>
        ) : null}
      </div>
    </Dialog>
  )
}

function hostsOf(setting: string | undefined): string[] {
  try {
    return JSON.parse(setting ?? '[]')
  } catch {
    return []
  }
}
