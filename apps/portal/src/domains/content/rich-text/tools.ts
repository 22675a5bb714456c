import type { Editor } from '@tiptap/react'
import { m } from '#paraglide/messages.js'

export type Tool = {
  name: string
  label: () => string
  /** SVG path on a 24 by 24 grid. */
  path: string
  keys?: string
  active?: (editor: Editor) => boolean
  can?: (editor: Editor) => boolean
  run: (editor: Editor) => void
}

const mod = /mac|iphone|ipad/i.test(navigator.platform) ? '⌘' : 'Ctrl+'

/** Formatting tools, in the order of the toolbar. */
export const marks: Tool[] = [
  {
    name: 'undo',
    label: m.rich_text_undo,
    path: 'M8 5 4 9l4 4M4 9h10a6 6 0 0 1 0 12h-3',
    keys: `${mod}Z`,
    can: (editor) => editor.can().undo(),
    run: (editor) => editor.chain().focus().undo().run(),
  },
  {
    name: 'redo',
    label: m.rich_text_redo,
    path: 'm16 5 4 4-4 4m4-4H10a6 6 0 0 0 0 12h3',
    keys: `${mod}Shift+Z`,
    can: (editor) => editor.can().redo(),
    run: (editor) => editor.chain().focus().redo().run(),
  },
  {
    name: 'bold',
    label: m.rich_text_bold,
    path: 'M7 4h6a4 4 0 0 1 0 8H7zm0 8h7a4 4 0 0 1 0 8H7z',
    keys: `${mod}B`,
    active: (editor) => editor.isActive('bold'),
    run: (editor) => editor.chain().focus().toggleBold().run(),
  },
  {
    name: 'italic',
    label: m.rich_text_italic,
    path: 'M10 4h8M6 20h8M14 4l-4 16',
    keys: `${mod}I`,
    active: (editor) => editor.isActive('italic'),
    run: (editor) => editor.chain().focus().toggleItalic().run(),
  },
  {
    name: 'underline',
    label: m.rich_text_underline,
    path: 'M7 4v7a5 5 0 0 0 10 0V4M5 21h14',
    keys: `${mod}U`,
    active: (editor) => editor.isActive('underline'),
    run: (editor) => editor.chain().focus().toggleUnderline().run(),
  },
  {
    name: 'strike',
    label: m.rich_text_strike,
    path: 'M4 12h16M17 7a5 3.5 0 0 0-10 1M7 16a5 3.5 0 0 0 10 0',
    active: (editor) => editor.isActive('strike'),
    run: (editor) => editor.chain().focus().toggleStrike().run(),
  },
  {
    name: 'superscript',
    label: m.rich_text_superscript,
    path: 'm4 8 8 10M12 8 4 18M16 8c0-4 5-4 5-1 0 2-5 2-5 4h5',
    active: (editor) => editor.isActive('superscript'),
    run: (editor) => editor.chain().focus().toggleMark('superscript').run(),
  },
  {
    name: 'subscript',
    label: m.rich_text_subscript,
    path: 'm4 5 8 10m0-10L4 15m12 2c0-4 5-4 5-1 0 2-5 2-5 4h5',
    active: (editor) => editor.isActive('subscript'),
    run: (editor) => editor.chain().focus().toggleMark('subscript').run(),
  },
  {
    name: 'bullets',
    label: m.rich_text_bullets,
    path: 'M9 6h12M9 12h12M9 18h12M4 6h.01M4 12h.01M4 18h.01',
    keys: `${mod}Shift+8`,
    active: (editor) => editor.isActive('bulletList'),
    run: (editor) => editor.chain().focus().toggleBulletList().run(),
  },
  {
    name: 'numbers',
    label: m.rich_text_numbers,
    path: 'M10 6h11M10 12h11M10 18h11M4 4l1-.5V9M3.5 15.5c0-1.5 3-1.5 3 0S3.5 18 3.5 19.5h3',
    keys: `${mod}Shift+7`,
    active: (editor) => editor.isActive('orderedList'),
    run: (editor) => editor.chain().focus().toggleOrderedList().run(),
  },
  {
    name: 'quote',
    label: m.rich_text_quote,
    path: 'M9 7H5v6h4v-2c0 3-1 5-4 6M19 7h-4v6h4v-2c0 3-1 5-4 6',
    keys: `${mod}Shift+B`,
    active: (editor) => editor.isActive('blockquote'),
    run: (editor) => editor.chain().focus().toggleBlockquote().run(),
  },
  {
    name: 'rule',
    label: m.rich_text_rule,
    path: 'M4 12h16',
    run: (editor) => editor.chain().focus().setHorizontalRule().run(),
  },
  {
    name: 'table',
    label: m.rich_text_table,
    path: 'M4 5h16v14H4zM4 10h16M4 14.5h16M10 5v14M15 5v14',
    active: (editor) => editor.isActive('table'),
    can: (editor) => !editor.isActive('table'),
    run: (editor) =>
      editor.chain().focus().insertTable({ rows: 3, cols: 3, withHeaderRow: true }).run(),
  },
]

/** Table tools, shown while the caret is in a table. */
export const tableTools: [() => string, (editor: Editor) => void][] = [
  [m.rich_text_row_add, (editor) => editor.chain().focus().addRowAfter().run()],
  [m.rich_text_column_add, (editor) => editor.chain().focus().addColumnAfter().run()],
  [m.rich_text_row_remove, (editor) => editor.chain().focus().deleteRow().run()],
  [m.rich_text_column_remove, (editor) => editor.chain().focus().deleteColumn().run()],
  [m.rich_text_header_row, (editor) => editor.chain().focus().toggleHeaderRow().run()],
  [m.rich_text_header_column, (editor) => editor.chain().focus().toggleHeaderColumn().run()],
  [m.rich_text_cells_merge, (editor) => editor.chain().focus().mergeOrSplit().run()],
  [m.rich_text_table_remove, (editor) => editor.chain().focus().deleteTable().run()],
]

/** A tool that asks for content to insert. */
export type Insert = {
  name: string
  label: () => string
  path: string
  active?: (editor: Editor) => boolean
  run: () => void
}
/** The link tool; each screen provides its own dialog. */
export const linkInsert = {
  name: 'link',
  label: m.rich_text_link,
  path: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  active: (editor: Editor) => editor.isActive('link'),
}

export const headings = [
  ['paragraph', m.rich_text_paragraph],
  ['1', m.rich_text_heading_1],
  ['2', m.rich_text_heading_2],
  ['3', m.rich_text_heading_3],
  ['code', m.rich_text_code_block],
] as const
