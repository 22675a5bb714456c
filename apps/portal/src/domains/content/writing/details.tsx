import { useMemo } from 'react'
import type { Managed } from '#domains/content/editorial/workbench-queries.ts'
import { FilesField } from '#domains/content/files/files-field.tsx'
import { m } from '#paraglide/messages.js'
import { Card } from '#ui/card.tsx'
import { Button } from '#ui/form/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { SelectField } from '#ui/form/select.tsx'
import { Switch } from '#ui/form/switch.tsx'
import { TextArea } from '#ui/form/text-area.tsx'
import type { Text } from './autosave.ts'
import { CoverField } from './cover-field.tsx'
import { suggestedSummary } from './text-of.ts'

type DetailsProps = {
  text: Text
  set: (part: Partial<Text>) => void
  article: Managed | undefined
  columns: readonly { id: string; name: string }[]
  locked: boolean
  cover: string
  onCover: (address: string) => void
  issues: Record<string, string>
}

/** The article's metadata: column, cover, summary, author and attachments. */
export function Details({ text, set, locked, cover, onCover, ...rest }: DetailsProps) {
  const { columns, issues } = rest
  const offered = useMemo(() => picturesIn(text.text + text.textEn), [text.text, text.textEn])
  const issue =
    issues.titleImageFileId ??
    issues.text ??
    Object.entries(issues).find(([field]) => field.startsWith('attachments'))?.[1]
  return (
    <Card title={m.writing_details()}>
      <div className="writing-details">
        <div className="writing-fields">
          {text.titleImageFileId === null && !locked ? null : (
            <h3 className="writing-part">{m.editorial_title_image()}</h3>
          )}
          <CoverField
            id={text.titleImageFileId}
            address={cover}
            focus={text.titleImageFocus}
            locked={locked}
            offered={offered}
            onChange={(part, address) => {
              set(part)
              if (address !== undefined) onCover(address)
            }}
            onBusy={() => {}}
          />
        </div>
        <div className="writing-fields">
          <SelectField
            label={m.editorial_column()}
            value={text.columnId}
            disabled={locked}
            onValue={(columnId) => set({ columnId })}
          >
            {columns.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
          <TextArea
            label={m.editorial_summary()}
            value={text.summary}
            onValue={(summary) => set({ summary })}
            maxLength={500}
            rows={3}
            readOnly={locked}
            placeholder={suggestedSummary(text.text)}
            {...(issues.summary && { error: issues.summary })}
          />
          {locked || text.summary || !text.text ? null : (
            <p>
              <Button
                kind="plain"
                small
                onClick={() => set({ summary: suggestedSummary(text.text) })}
              >
                {m.writing_summary_take()}
              </Button>
            </p>
          )}
          <Field
            label={m.editorial_author()}
            value={text.author}
            onValue={(author) => set({ author })}
            maxLength={100}
            readOnly={locked}
          />
          {text.kind === 'announcement' ? (
            <Switch
              label={m.editorial_needs_confirmation()}
              checked={text.needsConfirmation}
              disabled={locked}
              onChange={(needsConfirmation) => set({ needsConfirmation })}
            />
          ) : null}
          {locked ? null : (
            <FilesField
              label={m.editorial_attachments()}
              initialFiles={text.attachments.map(({ fileId, name }) => ({ id: fileId, name }))}
              max={20}
              onChange={(files) =>
                set({ attachments: files.map(({ id, name }) => ({ fileId: id, name })) })
              }
              onBusy={() => {}}
            />
          )}
          {issue ? (
            <p className="field-error" role="alert">
              {issue}
            </p>
          ) : null}
        </div>
      </div>
    </Card>
  )
}

/** Our own pictures used in the text. */
function picturesIn(html: string) {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const found = new Map<string, { id: string; address: string; alt: string }>()
  for (const image of body.querySelectorAll('img')) {
    const address = image.getAttribute('src') ?? ''
    const id = /^\/files\/(\d+)/.exec(address)?.[1]
    if (id) found.set(id, { id, address, alt: image.alt })
  }
  return [...found.values()].slice(0, 8)
}
