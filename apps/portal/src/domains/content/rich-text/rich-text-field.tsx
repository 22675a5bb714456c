import './rich-text.css'
import '#ui/form/field.css'
import { Placeholder } from '@tiptap/extensions'
import { EditorContent, useEditor } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import { useEffect, useId, useRef, useState } from 'react'
import { cleanPaste } from './clean-paste.ts'
import { LinkDialog } from './link-dialog.tsx'
import { Toolbar } from './toolbar.tsx'
import { headings, linkInsert, marks } from './tools.ts'

const blocks = headings.filter(([value]) => value !== '1' && value !== 'code')
const toolNames = ['undo', 'redo', 'bold', 'italic', 'underline', 'bullets', 'numbers', 'quote']
const tools = marks.filter(({ name }) => toolNames.includes(name))

type RichTextFieldProps = {
  label: string
  placeholder: string
  lang: 'zh-CN' | 'en'
  html: string
  onHtml: (html: string) => void
}

/** A text editor with headings, lists, links and marks, for texts shown both in messages and in mails. */
export default function RichTextField(props: RichTextFieldProps) {
  const { label, placeholder, lang, html } = props
  const id = useId()
  const now = useRef(props)
  now.current = props
  /** The editor's current HTML. */
  const lastHtml = useRef(html)
  const [linking, setLinking] = useState(false)
  const editor = useEditor({
    extensions: [
      StarterKit.configure({
        heading: { levels: [2, 3] },
        codeBlock: false,
        link: {
          openOnClick: false,
          autolink: true,
          defaultProtocol: 'https',
          protocols: ['mailto', 'tel'],
        },
      }),
      Placeholder.configure({ placeholder }),
    ],
    content: html,
    // The page's Content-Security-Policy forbids style sheets inserted by scripts; rich-text.css has the styles.
    injectCSS: false,
    shouldRerenderOnTransaction: false,
    editorProps: {
      attributes: {
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-labelledby': id,
        lang,
        class: 'rich-text rich-text-editing rich-text-field-text',
      },
      transformPastedHTML: cleanPaste,
    },
    onUpdate({ editor: changed }) {
      lastHtml.current = changed.isEmpty ? '' : changed.getHTML()
      now.current.onHtml(lastHtml.current)
    },
  })
  useEffect(() => {
    // Only if the text came from elsewhere, such as a template or another device, and was not typed here.
    if (!editor || editor.isDestroyed || html === lastHtml.current) return
    lastHtml.current = html
    editor.commands.setContent(html, { emitUpdate: false })
  }, [editor, html])
  return (
    <div className="field">
      <span id={id} className="rich-text-field-label">
        {label}
      </span>
      <div className="rich-text-field-paper">
        <Toolbar
          editor={editor}
          blocks={blocks}
          tools={tools}
          inserts={[{ ...linkInsert, run: () => setLinking(true) }]}
        />
        <EditorContent editor={editor} />
      </div>
      {linking && editor ? <LinkDialog editor={editor} onClose={() => setLinking(false)} /> : null}
    </div>
  )
}
