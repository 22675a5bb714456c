import type { ArticleText } from '@atrium/contract/content/editorial.operator'
import type { UploadedFile } from '@atrium/contract/content/files'
import type { Static } from '@atrium/contract/define'
import { useRef, useState } from 'react'
import { UploadField } from '#domains/content/files/upload-field.tsx'
import { m } from '#paraglide/messages.js'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import type { Managed } from './workbench-queries.ts'

type Text = Static<typeof ArticleText>
type ArticleFilesProps = {
  before: Text
  article: Managed | undefined
  issues: Record<string, string>
  onChange: (part: Pick<Text, 'titleImageFileId' | 'attachments'>) => void
  /** A picture that was sent for the text, to be put into it. */
  onPicture: (picture: UploadedFile) => void
  onBusy: (busy: boolean) => void
}

/** The title picture, the pictures in the text and the attachments: what was there before, and what is added. */
export function ArticleFiles({
  before,
  article,
  issues,
  onChange,
  onPicture,
  onBusy,
}: ArticleFilesProps) {
  const [kept, setKept] = useState({
    titleImageFileId: before.titleImageFileId,
    attachments: before.attachments,
  })
  const added = useRef<{ title: UploadedFile | undefined; attachments: UploadedFile[] }>({
    title: undefined,
    attachments: [],
  })
  const busy = useRef<Record<string, boolean>>({})
  const pictures = useRef(new Set<string>())
  const tell = (now: typeof kept) =>
    onChange({
      titleImageFileId: added.current.title?.id ?? now.titleImageFileId,
      attachments: [
        ...now.attachments,
        ...added.current.attachments.map(({ id, name }) => ({ fileId: id, name })),
      ],
    })
  const keep = (part: Partial<typeof kept>) => {
    const now = { ...kept, ...part }
    setKept(now)
    tell(now)
  }
  const sending = (field: string, is: boolean) => {
    busy.current[field] = is
    onBusy(Object.values(busy.current).some(Boolean))
  }
  const issue =
    issues.titleImageFileId ??
    Object.entries(issues).find(([field]) => field.startsWith('attachments'))?.[1]
  return (
    <>
      {kept.titleImageFileId ? (
        <div className="workbench-title-image">
          {article?.titleImage ? <img src={article.titleImage} alt="" /> : null}
          <span>{m.editorial_title_image()}</span>
          <IconButton
            label={m.editorial_title_image_remove()}
            onClick={() => keep({ titleImageFileId: null })}
          >
            <Icon name="trash" />
          </IconButton>
        </div>
      ) : (
        <UploadField
          label={m.editorial_title_image()}
          album
          most={1}
          onChange={([title], is) => {
            added.current.title = title
            sending('title', is)
            tell(kept)
          }}
        />
      )}
      <UploadField
        label={m.editorial_pictures()}
        album
        onChange={(list, is) => {
          sending('pictures', is)
          for (const picture of list) {
            if (pictures.current.has(picture.id)) continue
            pictures.current.add(picture.id)
            onPicture(picture)
          }
        }}
      />
      {kept.attachments.length > 0 ? (
        <ul className="workbench-attachments" aria-label={m.editorial_attachments_kept()}>
          {kept.attachments.map(({ fileId, name }) => (
            <li key={fileId} className="workbench-attachment">
              <Icon name="file" />
              <span>{name}</span>
              <IconButton
                label={m.ui_upload_remove({ name })}
                onClick={() =>
                  keep({ attachments: kept.attachments.filter((one) => one.fileId !== fileId) })
                }
              >
                <Icon name="trash" />
              </IconButton>
            </li>
          ))}
        </ul>
      ) : null}
      <UploadField
        label={m.editorial_attachments()}
        most={Math.max(0, 20 - kept.attachments.length)}
        ordered
        onChange={(list, is) => {
          added.current.attachments = list
          sending('attachments', is)
          tell(kept)
        }}
      />
      {issue ? (
        <p className="field-error" role="alert">
          {issue}
        </p>
      ) : null}
    </>
  )
}
