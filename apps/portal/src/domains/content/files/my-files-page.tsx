import './files.css'
import { files, type UploadedFile } from '@atrium/contract/content/files'
import { formatBytes } from '@atrium/rules/file-kinds'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FavouriteFile } from '#domains/member/favourites/favourite-button.tsx'
import { formatDayAndTime } from '#lib/format.ts'
import { invalidate, pages } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { ListEnd } from '#shell/page/list-end.tsx'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { FileRow } from './file-row.tsx'
import { UploadField } from './upload-field.tsx'

/** The member's uploads: previewing, downloading, deleting, and the space left. */
export default function MyFilesPage() {
  const list = useInfiniteQuery(pages(files.mine, { query: { pageSize: 30 } }))
  const [selected, setSelected] = useState<UploadedFile>()
  const first = list.data?.pages[0]
  return (
    <Page onRefresh={() => list.refetch()}>
      <div className="column stack">
        <Card>
          <UploadField
            label={m.files_upload()}
            onChange={(done, busy) => {
              if (done.length > 0 && !busy) invalidate(files.mine)
            }}
          />
          {first ? (
            <p className="file-note muted num">
              {m.files_used({
                used: formatBytes(first.usedBytes),
                quota: formatBytes(first.quotaBytes),
                largest: formatBytes(first.maxFileBytes),
              })}
            </p>
          ) : null}
        </Card>
        <QueryView
          query={list}
          skeleton={<Skeleton rows={4} height={64} label={m.shell_loading()} />}
          isEmpty={(data) => data.pages[0]?.list.length === 0}
          empty={
            <Empty icon="file" title={m.files_none()}>
              {m.files_none_text()}
            </Empty>
          }
        >
          {(data) => (
            <Card title={m.files_mine_list()}>
              <ul className="file-rows" aria-label={m.files_mine_list()}>
                {data.pages
                  .flatMap((page) => page.list)
                  .map((file) => (
                    <FileRow
                      key={file.id}
                      {...file}
                      note={file.held ? m.files_held() : formatDayAndTime(file.createdAt)}
                      actions={
                        <>
                          <FavouriteFile id={file.id} name={file.name} />
                          <IconButton
                            label={m.files_delete_named({ name: file.name })}
                            onClick={() => setSelected(file)}
                          >
                            <Icon name="trash" />
                          </IconButton>
                        </>
                      }
                    />
                  ))}
              </ul>
              <ListEnd query={list} />
            </Card>
          )}
        </QueryView>
        <p className="file-note muted">{m.files_grace()}</p>
      </div>
      <DeleteDialog selected={selected} onClose={() => setSelected(undefined)} />
    </Page>
  )
}

function DeleteDialog({
  selected,
  onClose,
}: {
  selected: UploadedFile | undefined
  onClose: () => void
}) {
  // Keeps the text while the dialog closes.
  const [shown, setShown] = useState(selected)
  if (selected && selected !== shown) setShown(selected)
  const remove = useAction(files.remove, {
    invalidates: [files.mine],
    done: () => {
      toast(m.files_deleted())
      onClose()
    },
    failed: () => {
      onClose()
      return false
    },
  })
  return (
    <Dialog
      open={selected !== undefined}
      onClose={onClose}
      title={m.files_delete_title()}
      actions={
        <>
          <Button kind="plain" onClick={onClose}>
            {m.files_cancel()}
          </Button>
          <Button
            kind="danger"
            busy={remove.isPending}
            onClick={() => selected && remove.mutate({ params: { id: selected.id } })}
          >
            {m.files_delete()}
          </Button>
        </>
      }
    >
      {m.files_delete_text({ name: shown?.name ?? '' })}
    </Dialog>
  )
}
