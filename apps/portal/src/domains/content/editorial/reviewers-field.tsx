import { articleReview } from '@atrium/contract/content/editorial-review.operator'
import { useQuery } from '@tanstack/react-query'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useOptimisticAction } from '#shell/page/action.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Switch } from '#ui/form/switch.tsx'

/** The only members who may approve articles of a column. Each change is saved immediately. */
export function ReviewersField({ columnId }: { columnId: string }) {
  const options = q(articleReview.reviewers, { params: { id: columnId } })
  const reviewers = useQuery(options)
  const set = useOptimisticAction(articleReview.setReviewers, {
    query: options,
    update: (list, { body: { usernames } }) =>
      list.map((one) => ({ ...one, chosen: usernames.includes(one.username) })),
    queue: 'reviewers',
    done: () => toast(m.editorial_reviewers_saved()),
  })
  return (
    <Card title={m.editorial_reviewers()}>
      <p className="muted">{m.editorial_reviewers_hint()}</p>
      <QueryView query={reviewers} skeleton={<Skeleton height={88} label={m.shell_loading()} />}>
        {(list) => (
          <ul className="workbench-reviewers">
            {list.map(({ username, name, nameEn, chosen }) => (
              <li key={username}>
                <Switch
                  label={`${inLanguage(name, nameEn)} (${username})`}
                  checked={chosen}
                  onChange={(now) =>
                    set.mutate({
                      params: { id: columnId },
                      body: {
                        usernames: list
                          .filter((one) => (one.username === username ? now : one.chosen))
                          .map((one) => one.username),
                      },
                    })
                  }
                />
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </Card>
  )
}
