import { type HomeBlock, home } from '@atrium/contract/shell/home'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { invalidate, q, setAnswer } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { Switch } from '#ui/form/switch.tsx'
import { OrderList } from '#ui/order-list.tsx'

const names: Record<HomeBlock['block'], () => string> = {
  quick: m.home_quick,
  slides: m.home_block_slides,
  todo: m.home_todo,
  cards: m.home_block_cards,
  notices: m.home_notices,
  news: m.home_news,
}

/** Chooses the blocks that home shows below the day, and their order. */
export default function ArrangePage() {
  const arrangement = useQuery(q(home.arrangement))
  return (
    <Page>
      <div className="column stack">
        <QueryView
          query={arrangement}
          skeleton={<Skeleton rows={6} height={60} label={m.shell_loading()} />}
        >
          {({ blocks, own }) => <Arrangement blocks={blocks} isOwn={own} />}
        </QueryView>
      </div>
    </Page>
  )
}

function Arrangement({ blocks, isOwn }: { blocks: readonly HomeBlock[]; isOwn: boolean }) {
  // Optimistic: changes show immediately and are reverted if the server refuses them.
  const [chosen, setChosen] = useState<readonly HomeBlock[]>()
  const shown = chosen ?? blocks
  const saved = {
    done(reply: { blocks: HomeBlock[]; own: boolean }) {
      setAnswer(q(home.arrangement), reply)
      invalidate(home.read)
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
  return (
    <>
      <p className="muted">{m.home_arrange_text()}</p>
      <OrderList
        label={m.home_arrange_title()}
        entries={shown.map((one) => ({
          id: one.block,
          name: names[one.block](),
          content: (
            <>
              <Switch
                label={names[one.block]()}
                checked={one.shown}
                disabled={one.fixed}
                onChange={(isOn) =>
                  change(shown.map((each) => (each === one ? { ...one, shown: isOn } : each)))
                }
              />
              {one.fixed ? <span className="muted">{m.home_arrange_fixed()}</span> : null}
            </>
          ),
        }))}
        onOrder={(ids) =>
          change(ids.flatMap((id) => shown.find(({ block }) => block === id) ?? []))
        }
      />
      {isOwn ? (
        <Button kind="plain" wide busy={reset.isPending} onClick={() => reset.mutate({})}>
          {m.home_arrange_reset()}
        </Button>
      ) : null}
    </>
  )
}
