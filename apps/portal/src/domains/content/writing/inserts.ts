import { linkInsert, type Insert as Tool } from '#domains/content/rich-text/tools.ts'
import { m } from '#paraglide/messages.js'

export type Insert = 'link' | 'formula' | 'picture' | 'film'

/** Content that can be inserted into an article besides text. */
export const insertsOf = (openDialog: (what: Insert) => void): Tool[] => [
  { ...linkInsert, run: () => openDialog('link') },
  {
    name: 'formula',
    label: m.writing_formula,
    path: 'M18 5H7l6 7-6 7h11',
    run: () => openDialog('formula'),
  },
  {
    name: 'picture',
    label: m.writing_picture,
    path: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9h.01',
    run: () => openDialog('picture'),
  },
  {
    name: 'film',
    label: m.writing_film,
    path: 'M4 6h16v12H4zM10 9.5v5l4.5-2.5z',
    run: () => openDialog('film'),
  },
]
