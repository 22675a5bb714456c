import { articleReview } from '@atrium/contract/content/editorial-review.operator'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ChangedFields } from '#domains/content/editorial/versions.tsx'
import type { Managed } from '#domains/content/editorial/workbench-queries.ts'
import { ApiError, call } from '#lib/api.ts'
import { formatDayAndTime } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import type { Text } from './autosave.ts'

type ConflictProps = {
  theirs: Managed
  mine: Text
  choose: (mine: boolean) => Promise<void>
}

/**
 * Shown when two people have edited at the same time: shows the difference and asks which text to keep. The other one
 * remains as a version.
 */
export function ConflictDialog({ theirs, mine, choose }: ConflictProps) {
  const { timeZone } = useSystem()
  const [open, setOpen] = useState(true)
  const [busy, setBusy] = useState(false)
  const difference = useQuery({
    queryKey: ['writing-conflict', theirs.id, theirs.revision],
    queryFn: () => call(articleReview.compare, { params: { id: theirs.id }, body: mine }),
    networkMode: 'always',
  })
  const keepText = async (keepMine: boolean) => {
    setBusy(true)
    try {
      await choose(keepMine)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      toast(error.message)
      setBusy(false)
    }
  }
  const notice = m.writing_conflict_told({
    name: theirs.writtenBy,
    time: formatDayAndTime(theirs.updatedAt, timeZone),
  })
  return (
    <>
      <div className="writing-notice" role="alert">
        <p>{notice}</p>
        <Button small onClick={() => setOpen(true)}>
          {m.writing_conflict_choose()}
        </Button>
      </div>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={m.writing_conflict()}
        actions={
          <>
            <Button kind="plain" busy={busy} onClick={() => keepText(false)}>
              {m.writing_conflict_theirs()}
            </Button>
            <Button busy={busy} onClick={() => keepText(true)}>
              {m.writing_conflict_mine()}
            </Button>
          </>
        }
      >
        <p>{notice}</p>
        <p className="muted">{m.writing_conflict_hint()}</p>
        <QueryView
          query={difference}
          skeleton={<Skeleton height={120} label={m.shell_loading()} />}
        >
          {(fields) =>
            fields.length > 0 ? (
              <ChangedFields fields={fields} />
            ) : (
              <p>{m.writing_conflict_same()}</p>
            )
          }
        </QueryView>
      </Dialog>
    </>
  )
}
