import { type HomeBlock, home } from '@atrium/contract/shell/home'
import { useQuery } from '@tanstack/react-query'
import { q, setAnswer } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useAction, useOptimisticAction } from '#shell/page/action.ts'
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
  const saved = { queue: 'home arrangement', invalidates: [home.read] }
  const save = useOptimisticAction(home.arrange, {
    ...saved,
    query: q(home.arrangement),
    update: (before, { body }) => ({
      blocks: body.blocks.flatMap(({ block, shown }) => {
        const found = before.blocks.find((one) => one.block === block)
        return found ? { ...found, shown } : []
      }),
      own: true,
    }),
  })
  const reset = useAction(home.resetArrangement, {
    ...saved,
    done(reply) {
      setAnswer(q(home.arrangement), reply)
      toast(m.home_arrange_is_reset())
    },
  })
  const change = (next: readonly HomeBlock[]) =>
    save.mutate({ body: { blocks: next.map(({ block, shown }) => ({ block, shown })) } })
  return (
    <>
      <p className="muted">{m.home_arrange_text()}</p>
      <OrderList
        label={m.home_arrange_title()}
        entries={blocks.map((one) => ({
          id: one.block,
          name: names[one.block](),
          content: (
            <>
              <Switch
                label={names[one.block]()}
                checked={one.shown}
                disabled={one.fixed}
                onChange={(isOn) =>
                  change(blocks.map((each) => (each === one ? { ...one, shown: isOn } : each)))
                }
              />
              {one.fixed ? <span className="muted">{m.home_arrange_fixed()}</span> : null}
            </>
          ),
        }))}
        onOrder={(ids) =>
          change(ids.flatMap((id) => blocks.find(({ block }) => block === id) ?? []))
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
