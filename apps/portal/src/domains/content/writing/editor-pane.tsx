import { type Editor, EditorContent, useEditor } from '@tiptap/react'
import { useEffect, useRef } from 'react'
import { cleanPaste } from '#domains/content/rich-text/clean-paste.ts'
import { m } from '#paraglide/messages.js'
import { extensions } from './extensions.ts'

type EditorPaneProps = {
  language: 'zh' | 'en'
  title: string
  onTitle: (title: string) => void
  html: string
  onHtml: (html: string) => void
  onReady: (editor: Editor) => void
  onFocus: () => void
  /** Pictures pasted or dropped. */
  onPictures: (files: File[]) => void
  onLink: () => void
  onSave: () => void
  onToolbar: () => void
  locked: boolean
  titleIssue: string | undefined
  hidden: boolean
}

/** An article in one language: title and text. */
export function EditorPane(props: EditorPaneProps) {
  const { language, title, onTitle, html, onReady, locked, titleIssue, hidden } = props
  const now = useRef(props)
  now.current = props
  const chinese = language === 'zh'
  const label = chinese ? m.writing_text_zh() : m.writing_text_en()
  const editor = useEditor({
    extensions,
    content: html,
    editable: !locked,
    // The page's Content-Security-Policy forbids style sheets inserted by scripts; writing.css has the styles.
    injectCSS: false,
    shouldRerenderOnTransaction: false,
    editorProps: {
      attributes: {
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': label,
        lang: chinese ? 'zh-CN' : 'en',
        class: 'writing-text rich-text rich-text-editing',
      },
      transformPastedHTML: cleanPaste,
      handlePaste: (_, event) => takePictures(event.clipboardData, event),
      handleDrop: (_, event, __, moved) => !moved && takePictures(event.dataTransfer, event),
      handleKeyDown(_, event) {
        const { key, ctrlKey, metaKey, altKey } = event
        const pressed = (ctrlKey || metaKey) && !altKey
        if (pressed && key.toLowerCase() === 'k') now.current.onLink()
        else if (pressed && key.toLowerCase() === 's') now.current.onSave()
        else if (altKey && key === 'F10') now.current.onToolbar()
        else return false
        event.preventDefault()
        return true
      },
    },
    onUpdate: ({ editor: { isEmpty }, editor: changed }) =>
      now.current.onHtml(isEmpty ? '' : changed.getHTML()),
    onFocus: () => now.current.onFocus(),
  })
  const takePictures = (data: DataTransfer | null, event: Event) => {
    const files = [...(data?.files ?? [])].filter(({ type }) =>
      /^image\/(png|jpe?g|gif|webp)$/.test(type),
    )
    // Word also adds a picture of the text to the clipboard.
    if (files.length === 0 || data?.getData('text/html')) return false
    event.preventDefault()
    now.current.onPictures(files)
    return true
  }
  useEffect(() => {
    if (editor) onReady(editor)
  }, [editor, onReady])
  useEffect(() => {
    // After the editor has been created, and without emitting a change.
    if (editor && editor.isEditable === locked) editor.setEditable(!locked, false)
  }, [editor, locked])
  return (
    <section
      className={hidden ? 'writing-pane writing-pane-behind' : 'writing-pane'}
      aria-label={chinese ? m.writing_chinese() : m.writing_english()}
    >
      <textarea
        className="writing-title"
        aria-label={chinese ? m.writing_title_zh() : m.writing_title_en()}
        placeholder={chinese ? m.writing_title_zh() : m.writing_title_en()}
        lang={chinese ? 'zh-CN' : 'en'}
        rows={1}
        maxLength={200}
        value={title}
        readOnly={locked}
        aria-invalid={titleIssue ? true : undefined}
        aria-describedby={titleIssue ? `writing-title-issue-${language}` : undefined}
        onChange={(event) => onTitle(event.target.value.replaceAll('\n', ' '))}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
          event.preventDefault()
          editor?.commands.focus('start')
        }}
      />
      {titleIssue ? (
        <p className="field-error" role="alert" id={`writing-title-issue-${language}`}>
          {titleIssue}
        </p>
      ) : null}
      <EditorContent editor={editor} />
    </section>
  )
}
