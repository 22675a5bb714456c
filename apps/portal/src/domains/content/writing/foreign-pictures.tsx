import { newsConsole } from '@atrium/contract/content/editorial.operator'
import type { Editor } from '@tiptap/react'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import type { Text } from './autosave.ts'
import type { Editors } from './remarks-panel.tsx'
import { foreignPictures } from './text-of.ts'

/** Limit of one call. */
const maxPerRequest = 20

type ForeignPicturesProps = {
  text: Text
  editors: Editors
  /** Whether the article has been saved: the first save opens a new page with new editors. */
  isKept: boolean
}

/** Reports pictures from other sites, which readers see only as links, and offers to copy them here. */
export function ForeignPictures({ text, editors, isKept }: ForeignPicturesProps) {
  const addresses = [...foreignPictures(text.text), ...foreignPictures(text.textEn)]
  const { mutate, isPending } = useAction(newsConsole.copyPictures, {
    done(copied) {
      const urls = new Map(copied.flatMap(({ address, url }) => (url ? [[address, url]] : [])))
      for (const editor of Object.values(editors)) replacePictures(editor, urls)
      const remaining = copied.length - urls.size
      toast(
        remaining > 0 ? m.writing_pictures_left({ count: remaining }) : m.writing_pictures_copied(),
      )
    },
  })
  if (addresses.length === 0) return null
  return (
    <div className="writing-notice">
      <p>{m.writing_pictures_elsewhere({ count: addresses.length })}</p>
      <Button
        kind="plain"
        small
        busy={isPending}
        disabled={!isKept}
        onClick={() =>
          mutate({ body: { addresses: [...new Set(addresses)].slice(0, maxPerRequest) } })
        }
      >
        {m.writing_pictures_copy()}
      </Button>
    </div>
  )
}

/** In one transaction, so that one undo reverts it. */
function replacePictures({ state, view }: Editor, urls: ReadonlyMap<string, string>) {
  const change = state.tr
  state.doc.descendants((node, at) => {
    const url = node.type.name === 'picture' && urls.get(String(node.attrs.src))
    if (url) change.setNodeMarkup(at, undefined, { ...node.attrs, src: url })
  })
  if (change.docChanged) view.dispatch(change)
}
