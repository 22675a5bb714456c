import './favourites-page.css'
import { history, type VisitedArticle } from '@atrium/contract/member/favourites'
import { useState } from 'react'
import { formatDay, formatTime } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { Link } from '#shell/navigation/link.tsx'
import { useAction } from '#shell/page/action.ts'
import { LongList } from '#shell/page/long-list.tsx'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { useHistoryPages } from './favourites-queries.ts'
import { HiddenNote } from './hidden-note.tsx'

/** The articles a member has read, by day. */
export default function HistoryPage() {
  const visits = useHistoryPages()
  const [isConfirming, setIsConfirming] = useState(false)
  const [removedIds, setRemovedIds] = useState<readonly string[]>([])
  const { timeZone } = useSystem()
  const remove = useAction(history.remove, { invalidates: [history.list] })
  const some = (visits.data?.pages[0]?.list.length ?? 0) > 0
  const note = <HiddenNote pages={visits.data?.pages ?? []} text={m.history_hidden} />
  const removeVisit = (id: string) => {
    setRemovedIds((before) => [...before, id])
    remove
      .mutateAsync({ params: { id } })
      .catch(() => setRemovedIds((before) => before.filter((other) => other !== id)))
  }
  return (
    <Page
      onRefresh={visits.refetch}
      actions={
        some ? (
          <IconButton label={m.history_clear()} onClick={() => setIsConfirming(true)}>
            <Icon name="trash" />
          </IconButton>
        ) : null
      }
    >
      <div className="column stack">
        <QueryView
          query={visits}
          skeleton={<Skeleton rows={8} height={64} label={m.shell_loading()} />}
          isEmpty={({ pages }) => pages[0]?.list.length === 0}
          empty={
            <>
              <Empty icon="history" title={m.history_none()}>
                {m.history_none_text()}
              </Empty>
              {note}
            </>
          }
        >
          {({ pages }) => {
            const list = pages
              .flatMap((page) => page.list)
              .filter(({ id }) => !removedIds.includes(id))
            return (
              <>
                <LongList
                  className="kept-list history-list"
                  label={m.history_title()}
                  query={visits}
                  items={byDay(list, timeZone)}
                  keyOf={(row) => ('day' in row ? row.day : row.id)}
                  height={68}
                >
                  {(row) =>
                    'day' in row ? (
                      <h2 className="history-day num">{row.day}</h2>
                    ) : (
                      <VisitRow
                        visit={row}
                        timeZone={timeZone}
                        onRemove={() => removeVisit(row.id)}
                      />
                    )
                  }
                </LongList>
                {note}
              </>
            )
          }}
        </QueryView>
      </div>
      <ClearDialog open={isConfirming} onClose={() => setIsConfirming(false)} />
    </Page>
  )
}

type VisitRowProps = { visit: VisitedArticle; timeZone: string; onRemove: () => void }

function VisitRow({ visit, timeZone, onRemove }: VisitRowProps) {
  return (
    <div className="kept-row">
      <Link
        className="kept-open"
        to="/pagesA/news/detail"
        search={{ id: visit.id, columnId: visit.columnId }}
      >
        <span className="kept-text">
          <span className="kept-name">
            <Bilingual zh={visit.title} en={visit.titleEn} />
          </span>
          <span className="muted num">
            <time dateTime={visit.visitedAt}>{formatTime(visit.visitedAt, timeZone)}</time>
            {visit.releaseDeptName ? ' · ' : ''}
            <Bilingual zh={visit.releaseDeptName} en={visit.releaseDeptNameEn} />
          </span>
        </span>
      </Link>
      <IconButton
        label={m.history_remove({ name: inLanguage(visit.title, visit.titleEn) })}
        onClick={onRemove}
      >
        <Icon name="close" />
      </IconButton>
    </div>
  )
}

function ClearDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const clear = useAction(history.clear, { invalidates: [history.list] })
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={m.history_clear_title()}
      actions={
        <Button
          kind="danger"
          busy={clear.isPending}
          onClick={() => clear.mutate({}, { onSuccess: onClose })}
        >
          {m.history_clear()}
        </Button>
      }
    >
      {m.history_clear_text()}
    </Dialog>
  )
}

/** The articles, with a heading before the first of each day. */
function byDay(list: readonly VisitedArticle[], timeZone: string) {
  const dayOf = (moment: string | number) => formatDay(moment, timeZone)
  const now = Date.now()
  const named = new Map([
    [dayOf(now - 86_400_000), m.history_yesterday()],
    [dayOf(now), m.history_today()],
  ])
  let last = ''
  return list.flatMap((article) => {
    const read = dayOf(article.visitedAt)
    const before = read === last ? [] : [{ day: named.get(read) ?? read }]
    last = read
    return [...before, article]
  })
}
