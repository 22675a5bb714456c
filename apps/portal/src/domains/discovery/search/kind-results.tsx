import type { SearchKind } from '@atrium/contract/discovery/search'
import { useSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { ListEnd } from '#shell/page/list-end.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { SignInPrompt } from '#shell/sign-in/sign-in-prompt.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Failed } from '#ui/feedback/failed.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { kinds } from './kinds.ts'
import { ResultList } from './result-groups.tsx'
import { useSearchKind } from './search-queries.ts'
import { useOpenResult } from './use-open-result.tsx'

/** All results of one kind. */
export function KindResults({ kind, keyWords }: { kind: SearchKind; keyWords: string }) {
  const member = useSession() !== null
  const opening = useOpenResult()
  const allowed = member || !kinds[kind].forMembers
  const found = useSearchKind(keyWords, kind, allowed)
  const name = kinds[kind].name()
  if (!allowed)
    return (
      <SignInPrompt icon={kinds[kind].glyph} title={m.search_members_title({ kind: name })}>
        {m.search_members_text()}
      </SignInPrompt>
    )
  if (!keyWords)
    return (
      <Empty icon={kinds[kind].glyph} title={m.search_hint({ kind: name })}>
        {m.search_hint_text()}
      </Empty>
    )
  return (
    <>
      <QueryView
        query={found}
        skeleton={<Skeleton rows={6} height={62} label={m.shell_loading()} />}
        isEmpty={({ pages }) => pages.every(({ groups }) => groups.length === 0)}
        empty={
          <Empty icon="search" title={m.search_none({ words: keyWords })}>
            {m.search_none_text()}
          </Empty>
        }
      >
        {({ pages }) =>
          pages[0]?.groups[0] && pages[0].groups[0].state !== 'ready' ? (
            <Failed
              text={m.search_kind_failed({ kind: name })}
              busy={found.isFetching}
              onRetry={() => void found.refetch()}
            />
          ) : (
            <div aria-busy={found.isPlaceholderData}>
              <Card flush>
                <ResultList
                  list={pages.flatMap(({ groups }) => groups[0]?.list ?? [])}
                  label={name}
                  keyWords={keyWords}
                  opening={opening}
                />
              </Card>
            </div>
          )
        }
      </QueryView>
      {keyWords ? <ListEnd query={found} /> : null}
      {opening.sheet}
    </>
  )
}
