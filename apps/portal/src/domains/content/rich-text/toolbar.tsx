import './rich-text.css'
import { type Editor, useEditorState } from '@tiptap/react'
import { type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import { m } from '#paraglide/messages.js'
import { isPointing } from '#ui/last-input.ts'
import { type headings, type Insert, type Tool, tableTools } from './tools.ts'

type ToolbarProps = {
  editor: Editor | null
  blocks: readonly (typeof headings)[number][]
  tools: readonly Tool[]
  inserts: readonly Insert[]
}

/** The toolbar of the focused editor. One tab stop; arrow keys, Home and End move within. */
export function Toolbar({ editor, ...rest }: ToolbarProps) {
  if (!editor) return <div className="rich-text-toolbar" />
  // Its state follows the first editor it was given until something changes in another one.
  return <EditorToolbar key={editor.instanceId} editor={editor} {...rest} />
}

type EditorToolbarProps = ToolbarProps & { editor: Editor }

function EditorToolbar({ editor, blocks, tools, inserts }: EditorToolbarProps) {
  const row = useRef<HTMLDivElement>(null)
  const state = useEditorState({
    editor,
    selector: ({ editor: now }) => ({
      active: tools.map((tool) => tool.active?.(now) ?? false),
      can: tools.map((tool) => tool.can?.(now) ?? true),
      table: now.isActive('table'),
      pressed: inserts.map((insert) => insert.active?.(now)),
      block: now.isActive('codeBlock')
        ? 'code'
        : String([1, 2, 3].find((level) => now.isActive('heading', { level })) ?? 'paragraph'),
    }),
  })
  const findStops = () => [...(row.current?.querySelectorAll<HTMLElement>('button, select') ?? [])]
  // The one tab stop may have been a tool that is gone, such as those of a deleted table.
  useLayoutEffect(() => {
    const stops = findStops()
    if (stops[0] && stops.every((stop) => stop.tabIndex !== 0)) stops[0].tabIndex = 0
  })
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const stops = findStops()
    const current = stops.indexOf(document.activeElement as HTMLElement)
    const select = document.activeElement instanceof HTMLSelectElement
    const step = {
      ArrowRight: current + 1,
      ArrowLeft: current - 1,
      Home: 0,
      End: stops.length - 1,
    }[event.key]
    if (event.key === 'Escape' || (select && event.key === 'Enter')) {
      // Or the key would be typed into the text.
      event.preventDefault()
      return void editor.commands.focus()
    }
    if (step === undefined || (select && event.altKey)) return
    event.preventDefault()
    const next = stops[(step + stops.length) % stops.length]
    for (const stop of stops) stop.tabIndex = stop === next ? 0 : -1
    next?.focus()
  }
  return (
    <div
      className="rich-text-toolbar fade-edges"
      role="toolbar"
      aria-label={m.rich_text_toolbar()}
      ref={row}
      onKeyDown={move}
      // Keeps the selection when a tool is clicked.
      onMouseDown={(event) => {
        if (!(event.target instanceof HTMLSelectElement)) event.preventDefault()
      }}
    >
      <BlockSelect editor={editor} value={state.block} blocks={blocks} />
      {tools.map((tool, index) => (
        <button
          key={tool.name}
          type="button"
          tabIndex={-1}
          className="rich-text-tool"
          aria-label={tool.label()}
          title={tool.keys ? `${tool.label()} (${tool.keys})` : tool.label()}
          aria-pressed={tool.active ? state.active[index] : undefined}
          aria-disabled={state.can[index] ? undefined : true}
          onClick={() => state.can[index] && tool.run(editor)}
        >
          <Drawing path={tool.path} />
        </button>
      ))}
      {inserts.map(({ name, label, path, run }, index) => (
        <button
          key={name}
          type="button"
          tabIndex={-1}
          className="rich-text-tool"
          aria-label={label()}
          title={label()}
          aria-pressed={state.pressed[index]}
          onClick={run}
        >
          <Drawing path={path} />
        </button>
      ))}
      {state.table ? (
        <fieldset className="rich-text-table-tools" aria-label={m.rich_text_table_tools()}>
          {tableTools.map(([label, run]) => (
            <button
              key={label()}
              type="button"
              tabIndex={-1}
              className="rich-text-tool rich-text-tool-words"
              onClick={() => run(editor)}
            >
              {label()}
            </button>
          ))}
        </fieldset>
      ) : null}
    </div>
  )
}

type BlockSelectProps = Pick<ToolbarProps, 'blocks'> & { editor: Editor; value: string }

/** The style of the paragraph. With a keyboard each arrow key chooses one, so the focus stays until Enter or Escape. */
function BlockSelect({ editor, value, blocks }: BlockSelectProps) {
  const choose = (next: string) => {
    const chain = isPointing() ? editor.chain().focus() : editor.chain()
    if (next === 'paragraph') chain.setParagraph().run()
    else if (next === 'code') chain.toggleCodeBlock().run()
    else chain.setHeading({ level: Number(next) as 1 | 2 | 3 }).run()
  }
  return (
    <select
      aria-label={m.rich_text_block()}
      value={value}
      onChange={(event) => choose(event.target.value)}
    >
      {blocks.map(([block, label]) => (
        <option key={block} value={block}>
          {label()}
        </option>
      ))}
    </select>
  )
}

const Drawing = ({ path }: { path: string }) => (
  <svg className="rich-text-drawing" viewBox="0 0 24 24" aria-hidden="true">
    <path d={path} />
  </svg>
)
