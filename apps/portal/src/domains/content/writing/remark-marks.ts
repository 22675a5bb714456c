import { type Editor, Extension } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { Plugin, PluginKey } from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'
import { type Anchor, anchorOf, findPassage } from './passage.ts'

type AnchoredRemark = Anchor & { id: string }
const key = new PluginKey<DecorationSet>('remarks')

/** Highlights the passages of remarks. The marks move with the text while it is edited. */
export const RemarkMarks = Extension.create({
  name: 'remarkMarks',
  addProseMirrorPlugins: () => [
    new Plugin<DecorationSet>({
      key,
      state: {
        init: () => DecorationSet.empty,
        apply(transaction, set) {
          const remarks = transaction.getMeta(key) as readonly AnchoredRemark[] | undefined
          return remarks
            ? decorationsOf(transaction.doc, remarks)
            : set.map(transaction.mapping, transaction.doc)
        },
      },
      props: { decorations: (state) => key.getState(state) },
    }),
  ],
})

/** The document's text as one string, and the document position of each part. */
function textMapOf(doc: Node) {
  let text = ''
  const parts: { at: number; length: number; from: number }[] = []
  doc.descendants((node, from) => {
    if (node.isText) {
      parts.push({ at: text.length, length: node.text?.length ?? 0, from })
      text += node.text
    } else if (node.isBlock && text && !text.endsWith('\n')) text += '\n'
  })
  return { text, parts }
}
type TextMap = ReturnType<typeof textMapOf>

/** The document position of an offset in that string; an end offset belongs to the preceding part. */
function positionOf({ parts }: TextMap, at: number, end: boolean) {
  const part = end
    ? parts.filter((one) => one.at < at).pop()
    : parts.find((one) => at < one.at + one.length)
  return part ? part.from + Math.max(0, Math.min(at - part.at, part.length)) : undefined
}

function decorationsOf(doc: Node, remarks: readonly AnchoredRemark[]) {
  const textMap = textMapOf(doc)
  return DecorationSet.create(
    doc,
    remarks.flatMap((remark) => {
      const found = findPassage(textMap.text, remark)
      const from = found && positionOf(textMap, found.from, false)
      const to = found && positionOf(textMap, found.to, true)
      if (from === undefined || to === undefined || to <= from) return []
      const spec = { id: remark.id, changed: found?.changed ?? false }
      return [Decoration.inline(from, to, { nodeName: 'mark', class: 'writing-remark' }, spec)]
    }),
  )
}

/** Highlights exactly these remarks in the text. */
export function markRemarks(editor: Editor, remarks: readonly AnchoredRemark[]) {
  editor.view.dispatch(editor.state.tr.setMeta(key, remarks).setMeta('addToHistory', false))
}

/** The state of a remark's passage: unchanged, with other words, or gone. */
export function stateOfRemark(editor: Editor, id: string): 'found' | 'changed' | 'gone' {
  const [mark] =
    key.getState(editor.state)?.find(undefined, undefined, (one) => one.id === id) ?? []
  if (!mark || mark.to <= mark.from) return 'gone'
  return mark.spec.changed ? 'changed' : 'found'
}

/** Scrolls to the passage of a remark and selects it. */
export function showRemark(editor: Editor, id: string) {
  const [mark] =
    key.getState(editor.state)?.find(undefined, undefined, (one) => one.id === id) ?? []
  if (mark)
    editor.chain().focus().setTextSelection({ from: mark.from, to: mark.to }).scrollIntoView().run()
}

/** The selection as a passage; undefined if it is empty. */
export function selectedPassage(editor: Editor): Anchor | undefined {
  const { from, to, empty } = editor.state.selection
  if (empty) return undefined
  const textMap = textMapOf(editor.state.doc)
  const inside = textMap.parts.filter((part) => part.from < to && part.from + part.length > from)
  const [first, last] = [inside[0], inside[inside.length - 1]]
  if (!first || !last) return undefined
  return anchorOf(
    textMap.text,
    first.at + Math.max(0, from - first.from),
    last.at + Math.min(last.length, to - last.from),
  )
}

/** Every paragraph as a passage, for users who do not select with a pointer. */
export function paragraphs(editor: Editor): Anchor[] {
  const { text } = textMapOf(editor.state.doc)
  let at = 0
  return text.split('\n').flatMap((line) => {
    const from = at
    at += line.length + 1
    return line.trim() ? [anchorOf(text, from, from + line.length)] : []
  })
}
