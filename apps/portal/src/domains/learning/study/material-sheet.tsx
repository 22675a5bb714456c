import type { UploadedFile } from '@atrium/contract/content/files'
import { lti } from '@atrium/contract/learning/lti'
import { study } from '@atrium/contract/learning/study'
import { studyTeaching } from '@atrium/contract/learning/study-teaching'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { UploadField } from '#domains/content/files/upload-field.tsx'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { Sheet } from '#ui/feedback/dialog.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { RowContent } from '#ui/list-row.tsx'
import { nameOf } from './labels.ts'

type MaterialSheetProps = { course: string; open: boolean; onClose: () => void }

/** Adds a file, a link or a tool to a course; for teachers. */
export function MaterialSheet({ course, open, onClose }: MaterialSheetProps) {
  const [title, setTitle] = useState('')
  const [url, setUrl] = useState('')
  const [file, setFile] = useState<UploadedFile>()
  const [busy, setBusy] = useState(false)
  const done = () => {
    toast(m.study_material_added())
    setTitle('')
    setUrl('')
    setFile(undefined)
    onClose()
  }
  const { mutate, isPending } = useAction(studyTeaching.addMaterial, {
    invalidates: [study.read],
    done,
  })
  const address = url.trim()
  const bad = address !== '' && !(/^https?:\/\//.test(address) && URL.canParse(address))
  const name = title.trim() || file?.name || ''
  const ready = name !== '' && !busy && !bad && (file !== undefined) !== (address !== '')
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={m.study_add_material()}
      actions={
        <Button
          wide
          busy={isPending}
          disabled={!ready}
          onClick={() =>
            mutate({
              params: { id: course },
              body: {
                title: [...name].slice(0, 100).join(''),
                titleEn: '',
                ...(file ? { fileId: file.id } : { url: address }),
              },
            })
          }
        >
          {m.study_material_add()}
        </Button>
      }
    >
      <div className="stack">
        <Field label={m.study_material_title()} value={title} onValue={setTitle} maxLength={100} />
        <Field
          label={m.study_material_url()}
          type="url"
          inputMode="url"
          value={url}
          onValue={setUrl}
          {...(bad && { error: m.study_material_url_bad() })}
        />
        <UploadField
          label={m.study_material_file()}
          max={1}
          onChange={([uploaded], sending) => {
            setFile(uploaded)
            setBusy(sending)
          }}
        />
        {open ? <Tools course={course} onAdded={done} /> : null}
      </div>
    </Sheet>
  )
}

/** The institution's tools; some let teachers choose the content to link in the tool itself. */
function Tools({ course, onAdded }: { course: string; onAdded: () => void }) {
  const tools = useQuery(q(lti.tools, { params: { id: course } }))
  const add = useAction(lti.add, { invalidates: [study.read], done: onAdded })
  const choose = useAction(lti.choose, { done: ({ url }) => location.assign(url) })
  const list = tools.data ?? []
  if (list.length === 0) return null
  return (
    <section className="stack" aria-label={m.study_tools()}>
      <h3 className="study-section">{m.study_tools()}</h3>
      <ul className="row-list study-tools">
        {list.map((tool) => (
          <li key={tool.id}>
            <button
              type="button"
              className="list-row"
              onClick={() =>
                tool.chooses
                  ? choose.mutate({ params: { id: course, toolId: tool.id } })
                  : add.mutate({
                      params: { id: course },
                      body: { toolId: tool.id, title: nameOf(tool) },
                    })
              }
            >
              <RowContent icon="tool" value={tool.chooses ? m.study_tool_choose() : null} leads>
                {nameOf(tool)}
              </RowContent>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
