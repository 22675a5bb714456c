import { Mark, mergeAttributes, Node } from '@tiptap/core'
import { TableKit } from '@tiptap/extension-table'
import { Placeholder } from '@tiptap/extensions'
import StarterKit from '@tiptap/starter-kit'
import { m } from '#paraglide/messages.js'
import { drawFormula } from './draw-formula.ts'
import { RemarkMarks } from './remark-marks.ts'

/** Superscript and subscript. */
const Superscript = Mark.create({
  name: 'superscript',
  excludes: 'subscript',
  parseHTML: () => [{ tag: 'sup' }],
  renderHTML: ({ HTMLAttributes }) => ['sup', HTMLAttributes, 0],
})
const Subscript = Mark.create({
  name: 'subscript',
  excludes: 'superscript',
  parseHTML: () => [{ tag: 'sub' }],
  renderHTML: ({ HTMLAttributes }) => ['sub', HTMLAttributes, 0],
})

/** A picture with alternative text and an optional caption. */
const Picture = Node.create({
  name: 'picture',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({
    src: { default: '' },
    alt: { default: '' },
    caption: { default: '' },
  }),
  parseHTML: () => [
    {
      tag: 'figure',
      getAttrs: (figure) => {
        const image = figure.querySelector('img')
        return (
          image && {
            src: image.getAttribute('src') ?? '',
            alt: image.getAttribute('alt') ?? '',
            caption: figure.querySelector('figcaption')?.textContent?.trim() ?? '',
          }
        )
      },
    },
    {
      tag: 'img[src]',
      getAttrs: (image) => ({
        src: image.getAttribute('src') ?? '',
        alt: image.getAttribute('alt') ?? '',
      }),
    },
  ],
  renderHTML: ({ node: { attrs } }) => [
    'figure',
    {},
    ['img', { src: attrs.src, alt: attrs.alt }],
    ...(attrs.caption ? [['figcaption', {}, attrs.caption]] : []),
  ],
})

/** A video: our own files play in the page; readers get a link to others. */
const Film = Node.create({
  name: 'film',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({ src: { default: '' } }),
  parseHTML: () => [
    {
      tag: 'video',
      getAttrs: (video) => {
        const src = video.getAttribute('src') ?? video.querySelector('source')?.getAttribute('src')
        return src ? { src } : false
      },
    },
  ],
  renderHTML: ({ node }) => ['video', { src: node.attrs.src, controls: '', preload: 'none' }],
})

/** TeX in an attribute, rendered in the editor as readers see it. */
const formula = (name: string, tag: 'span' | 'div') =>
  Node.create({
    name,
    group: tag === 'span' ? 'inline' : 'block',
    inline: tag === 'span',
    atom: true,
    addAttributes: () => ({
      tex: {
        default: '',
        parseHTML: (element: HTMLElement) => element.getAttribute('data-tex') ?? '',
        renderHTML: ({ tex }: { tex?: string }) => ({ 'data-tex': tex }),
      },
    }),
    parseHTML: () => [{ tag: `${tag}[data-tex]`, priority: 100 }],
    renderHTML: ({ node, HTMLAttributes }) => [
      tag,
      mergeAttributes(HTMLAttributes),
      node.attrs.tex as string,
    ],
    renderText: ({ node }) => node.attrs.tex as string,
    addNodeView:
      () =>
      ({ node }) => {
        const dom = document.createElement(tag)
        dom.className = 'writing-formula'
        const drawn = drawFormula(node.attrs.tex as string, tag === 'div')
        if (drawn) dom.innerHTML = drawn
        else dom.textContent = node.attrs.tex as string
        return { dom }
      },
  })
const InlineFormula = formula('inlineFormula', 'span')
const BlockFormula = formula('blockFormula', 'div')

/** The editor's schema: exactly what the server keeps. */
export const extensions = [
  StarterKit.configure({
    heading: { levels: [1, 2, 3] },
    link: {
      openOnClick: false,
      autolink: true,
      defaultProtocol: 'https',
      protocols: ['mailto', 'tel'],
    },
  }),
  TableKit.configure({ table: { resizable: false } }),
  Placeholder.configure({ placeholder: () => m.writing_placeholder() }),
  Superscript,
  Subscript,
  Picture,
  Film,
  InlineFormula,
  BlockFormula,
  RemarkMarks,
]
