import '#ui/order-list.css'
import { type HomeBlock, home } from '@atrium/contract/shell/home'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { q, refresh, setAnswer } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import type { RowProps } from '#ui/draggable-rows.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { Switch } from '#ui/form/switch.tsx'
import { Icon } from '#ui/media/icon.tsx'

/** Dragging is fetched when the list stands: the buttons work without it. */
const DraggableRows = lazy(() => import('#ui/draggable-rows.tsx'))

const names: Record<HomeBlock['block'], () => string> = {
  quick: m.home_quick,
  slides: m.home_block_slides,
  todo: m.home_todo,
  cards: m.home_block_cards,
  notices: m.home_notices,
  news: m.home_news,
}

/** What home shows below the day, and in which order. */
export default function ArrangePage() {
  const arrangement = useQuery(q(home.arrangement))
  return (
    <Page>
      <div className="column stack">
        <QueryView
          query={arrangement}
          skeleton={<Skeleton rows={6} height={60} label={m.shell_loading()} />}
        >
          {({ blocks, own }) => <Arrangement blocks={blocks} own={own} />}
        </QueryView>
      </div>
    </Page>
  )
}

function Arrangement({ blocks, own }: { blocks: readonly HomeBlock[]; own: boolean }) {
  // What was chosen shows at once; a refusal takes it back.
  const [chosen, setChosen] = useState<readonly HomeBlock[]>()
  const [said, setSaid] = useState('')
  const shown = chosen ?? blocks
  const saved = {
    done(reply: { blocks: HomeBlock[]; own: boolean }) {
      setAnswer(q(home.arrangement), reply)
      refresh(home.read)
    },
    failed() {
      setChosen(undefined)
      return false
    },
    queue: 'home.arrange',
  }
  const save = useAction(home.arrange, saved)
  const reset = useAction(home.resetArrangement, {
    ...saved,
    done(reply) {
      setChosen(undefined)
      saved.done(reply)
      toast(m.home_arrange_is_reset())
    },
  })
  const change = (next: readonly HomeBlock[]) => {
    setChosen(next)
    save.mutate({ body: { blocks: next.map(({ block, shown }) => ({ block, shown })) } })
  }
  const move = (from: number, to: number) => {
    const one = shown[from]
    if (!one || to < 0 || to >= shown.length || from === to) return
    const next = [...shown]
    next.splice(from, 1)
    next.splice(to, 0, one)
    setSaid(m.home_arrange_moved({ name: names[one.block](), place: to + 1 }))
    change(next)
  }
  const row: RowProps['row'] = ({ id }, index, handle) => {
    const one = shown.find(({ block }) => block === id)
    if (!one) return null
    const name = names[one.block]()
    return (
      <>
        <span className="order-handle" ref={handle} aria-hidden="true">
          ⠿
        </span>
        <span className="order-name">
          <Switch
            label={name}
            checked={one.shown}
            disabled={one.fixed}
            onChange={(wanted) =>
              change(shown.map((each) => (each === one ? { ...one, shown: wanted } : each)))
            }
          />
          {one.fixed ? <span className="muted">{m.home_arrange_fixed()}</span> : null}
        </span>
        <span className="order-ways">
          {(['up', 'down'] as const).map((way) => (
            <button
              key={way}
              type="button"
              className={`icon-button order-${way}`}
              aria-label={
                way === 'up' ? m.home_arrange_up({ name }) : m.home_arrange_down({ name })
              }
              aria-disabled={way === 'up' ? index === 0 : index === shown.length - 1}
              onClick={() => move(index, way === 'up' ? index - 1 : index + 1)}
            >
              <Icon name="back" />
            </button>
          ))}
        </span>
      </>
    )
  }
  const items = shown.map(({ block }) => ({ id: block }))
  return (
    <>
      <p className="muted">{m.home_arrange_text()}</p>
      <ul className="order-list" aria-label={m.home_arrange_title()}>
        <Suspense
          fallback={items.map((item, index) => (
            <li key={item.id}>{row(item, index, undefined)}</li>
          ))}
        >
          <DraggableRows items={items} row={row} onMove={move} />
        </Suspense>
      </ul>
      {own ? (
        <Button kind="plain" wide busy={reset.isPending} onClick={() => reset.mutate({})}>
          {m.home_arrange_reset()}
        </Button>
      ) : null}
      <p className="unseen" role="status">
        {said}
      </p>
    </>
  )
}
