import type { Editor } from '@tiptap/react'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { Steps } from '#domains/content/editorial/steps.tsx'
import { Versions } from '#domains/content/editorial/versions.tsx'
import type { Kind, Managed } from '#domains/content/editorial/workbench-queries.ts'
import { sendUpload } from '#domains/content/files/send-upload.ts'
import { Toolbar } from '#domains/content/rich-text/toolbar.tsx'
import { headings, marks } from '#domains/content/rich-text/tools.ts'
import { getLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { deleteStoredText, readStoredText, sameText, type Text, useAutosave } from './autosave.ts'
import { ConflictDialog } from './conflict-dialog.tsx'
import { Details } from './details.tsx'
import { EditorPane } from './editor-pane.tsx'
import { ForeignPictures } from './foreign-pictures.tsx'
import { InsertDialog } from './insert-dialogs.tsx'
import { type Insert, insertsOf } from './inserts.ts'
import { PhonePreview, PreviewSheet } from './preview.tsx'
import { type Editors, RemarksPanel } from './remarks-panel.tsx'
import { SaveNote } from './save-note.tsx'
import { blankText, countMissingAltTexts, textOf, withFreshPictures } from './text-of.ts'

type Language = 'zh' | 'en'
type WriterProps = {
  kind: Kind
  article: Managed | undefined
  columns: readonly { id: string; name: string }[]
  created: (made: Managed) => void
  /** Restarts with the server's text. */
  restart: () => void
}

/** The editor's initial text, and the text stored on this device that has not reached the server. */
function useInitialText({ kind, article, columns }: WriterProps) {
  return useState(() => {
    const initial = article ? textOf(article) : blankText(kind, columns[0]?.id ?? '')
    const stored = readStoredText(article?.id ?? '')
    if (!stored || stored.text.kind !== initial.kind) return { initial, stored: undefined }
    // An older version may not have stored every field.
    const complete = { ...initial, ...stored.text }
    const text = article ? withFreshPictures(complete, article) : complete
    if (sameText(text, initial)) {
      // It did reach the server; only the answer was lost.
      deleteStoredText(article?.id ?? '')
      return { initial, stored: undefined }
    }
    return { initial, stored: { ...stored, text } }
  })[0]
}

export function Writer(props: WriterProps) {
  const { article, columns, created, restart } = props
  const { initial, stored } = useInitialText(props)
  const [editors, setEditors] = useState<Editors>({})
  const [language, setLanguage] = useState<Language>(getLanguage())
  const [insert, setInsert] = useState<Insert>()
  const [previewing, setPreviewing] = useState(false)
  const [cover, setCover] = useState(article?.titleImage ?? '')
  const toolbar = useRef<HTMLDivElement>(null)
  const reportCreated = useCreated(created, insert !== undefined || previewing)
  const { text, set, state, save, choose } = useAutosave({
    article,
    initial,
    stored,
    created: reportCreated,
    newer: restart,
  })
  const ready = useMemo(
    () => ({
      zh: (editor: Editor) => setEditors((now) => ({ ...now, zh: editor })),
      en: (editor: Editor) => setEditors((now) => ({ ...now, en: editor })),
    }),
    [],
  )
  const editor = editors[language]
  const { locked, open, beforeSubmit, needsTitle, setNeedsTitle } = useSteps(
    article,
    text,
    save,
    () => setLanguage('zh'),
  )
  const pane = (own: Language) => (
    <EditorPane
      language={own}
      title={own === 'zh' ? text.title : text.titleEn}
      onTitle={(title) => {
        setNeedsTitle(false)
        set(own === 'zh' ? { title } : { titleEn: title })
      }}
      html={own === 'zh' ? text.text : text.textEn}
      onHtml={(html) => set(own === 'zh' ? { text: html } : { textEn: html })}
      onReady={ready[own]}
      onFocus={() => setLanguage(own)}
      onPictures={(files) => {
        const target = editors[own]
        if (target) void insertPictures(target, files)
      }}
      onLink={() => setInsert('link')}
      onSave={() => void save()}
      onToolbar={() =>
        toolbar.current?.querySelector<HTMLElement>('[role=toolbar] select')?.focus()
      }
      locked={locked}
      titleIssue={own === 'zh' && needsTitle ? m.editorial_needs_title() : undefined}
      hidden={language !== own}
    />
  )
  const preview = { text, article, cover, english: language === 'en' }
  return (
    <div className="writing">
      <div className="writing-main stack">
        {state.kind === 'conflict' ? (
          <ConflictDialog
            theirs={state.theirs}
            mine={text}
            choose={async (mine) => {
              await choose(mine, state.theirs)
              toast(mine ? m.writing_conflict_kept_mine() : m.writing_conflict_kept_theirs())
              if (!mine) restart()
            }}
          />
        ) : null}
        {locked ? (
          <LockedNotice inReview={article?.state === 'review'} onOpen={() => void open()} />
        ) : null}
        <section className="writing-paper" aria-label={m.writing_paper()}>
          <div className="writing-top" ref={toolbar}>
            <WritingHead
              language={language}
              onLanguage={setLanguage}
              note={<SaveNote state={state} onRetry={() => void save()} />}
              onPreview={() => setPreviewing(true)}
            />
            {locked ? null : (
              <Toolbar
                editor={editor ?? null}
                blocks={headings}
                tools={marks}
                inserts={insertsOf(setInsert)}
              />
            )}
          </div>
          <div className="writing-panes">
            {pane('zh')}
            {pane('en')}
          </div>
        </section>
        {locked ? null : (
          <ForeignPictures text={text} editors={editors} isKept={article !== undefined} />
        )}
        {article ? <Steps article={article} beforeSubmit={beforeSubmit} /> : null}
        <Details
          text={text}
          set={set}
          article={article}
          columns={columns}
          locked={locked}
          cover={cover}
          onCover={setCover}
          issues={state.kind === 'refused' ? state.fields : {}}
        />
        {article ? (
          <RemarksPanel
            id={article.id}
            editors={editors}
            language={language}
            onShow={setLanguage}
          />
        ) : null}
        {article ? <Versions article={article} onRestored={restart} /> : null}
      </div>
      <PhonePreview {...preview} />
      <PreviewSheet open={previewing} onClose={() => setPreviewing(false)} {...preview} />
      {insert && editor ? (
        <InsertDialog what={insert} editor={editor} onClose={() => setInsert(undefined)} />
      ) : null}
    </div>
  )
}

/** Preparation for workflow steps: whether the text is locked, and checks before submission. */
function useSteps(
  article: Managed | undefined,
  text: Text,
  save: (asVersion?: boolean) => Promise<boolean>,
  showChinese: () => void,
) {
  const [isReopened, setIsReopened] = useState(false)
  const [needsTitle, setNeedsTitle] = useState(false)
  // Submitted and approved texts must be reopened explicitly before editing.
  const isSubmitted = article?.state === 'review' || article?.state === 'approved'
  const locked = isSubmitted && !isReopened
  const beforeSubmit = async () => {
    if (!text.title.trim()) {
      setNeedsTitle(true)
      showChinese()
      // Once its pane is shown.
      requestAnimationFrame(() =>
        document.querySelector<HTMLElement>('.writing-title[lang="zh-CN"]')?.focus(),
      )
      return false
    }
    const saved = await save()
    const missing = countMissingAltTexts(text.text) + countMissingAltTexts(text.textEn)
    if (saved && missing > 0) toast(m.writing_alt_missing({ count: missing }))
    return saved && missing === 0
  }
  const open = async () => {
    setIsReopened(true)
    // Reopening a text under review saves it as its own version.
    if (article?.state === 'review') await save(true)
  }
  return { locked, open, beforeSubmit, needsTitle, setNeedsTitle }
}

async function insertPictures(target: Editor, files: File[]) {
  for (const file of files)
    try {
      const { signal } = new AbortController()
      const picture = await sendUpload(file, { signal, onProgress: () => {}, onChunk: () => {} })
      target
        .chain()
        .focus()
        .insertContent({ type: 'picture', attrs: { src: picture.url, alt: '', caption: '' } })
        .run()
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error))
    }
}

type WritingHeadProps = {
  language: Language
  onLanguage: (language: Language) => void
  /** the save state */
  note: ReactNode
  onPreview: () => void
}

function WritingHead({ language, onLanguage, note, onPreview }: WritingHeadProps) {
  return (
    <div className="writing-head">
      <fieldset className="writing-languages">
        <legend className="unseen">{m.writing_language()}</legend>
        {(['zh', 'en'] as const).map((own) => (
          <button
            key={own}
            type="button"
            aria-pressed={language === own}
            onClick={() => onLanguage(own)}
          >
            {own === 'zh' ? m.writing_chinese() : m.writing_english()}
          </button>
        ))}
      </fieldset>
      {note}
      <span className="writing-preview-button">
        <Button kind="plain" small onClick={onPreview}>
          {m.writing_preview()}
        </Button>
      </span>
    </div>
  )
}

/**
 * Reports an article created by the first save, once no overlay covers the page.
 * @returns a function to call with the article
 */
function useCreated(created: (article: Managed) => void, overlaid: boolean) {
  const [article, setArticle] = useState<Managed>()
  const notify = useRef(created)
  notify.current = created
  useEffect(() => {
    // Changing the address would close the overlay, which is an entry of the history.
    if (!article || overlaid) return
    notify.current(article)
    setArticle(undefined)
  }, [article, overlaid])
  return setArticle
}

function LockedNotice({ inReview, onOpen }: { inReview: boolean; onOpen: () => void }) {
  return (
    <div className="writing-notice">
      <p>{inReview ? m.writing_in_review() : m.writing_approved()}</p>
      <Button kind="plain" small onClick={onOpen}>
        {m.writing_open()}
      </Button>
    </div>
  )
}
