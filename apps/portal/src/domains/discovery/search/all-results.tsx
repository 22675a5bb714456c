import { useSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { useSettings } from '#shell/config.ts'
import { Link } from '#shell/navigation/link.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { signIn } from '#shell/sign-in/sign-in.ts'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { AnswerCard } from './answer-card.tsx'
import { ResultGroups } from './result-groups.tsx'
import { resultsPerKind, useSearchAll } from './search-queries.ts'
import type { useOpenResult } from './use-open-result.tsx'

type AllResultsProps = {
  keyWords: string
  exactly: boolean
  opening: ReturnType<typeof useOpenResult>
}

/** The direct answer, and the best results of each kind. */
export function AllResults({ keyWords, exactly, opening }: AllResultsProps) {
  const found = useSearchAll(keyWords, exactly, resultsPerKind)
  const member = useSession() !== null
  const robot = useRobot()
  return (
    <>
      <QueryView
        query={found}
        skeleton={<Skeleton rows={6} height={62} label={m.shell_loading()} />}
        isEmpty={({ groups, answer }) => groups.length === 0 && !answer}
        empty={
          <Empty
            icon="search"
            title={m.search_none({ words: keyWords })}
            action={
              !member ? null : robot ? (
                <Link className="button button-plain" to={robot} search={{ question: keyWords }}>
                  {m.search_none_robot()}
                </Link>
              ) : (
                <Link className="button button-plain" to="/msgCenter/pages/news/throughTrain">
                  {m.search_none_ask()}
                </Link>
              )
            }
          >
            {m.search_none_text()}
          </Empty>
        }
      >
        {({ answer, groups, corrected }) => (
          <>
            <p className="unseen" role="status">
              {m.search_found({ count: groups.length + (answer ? 1 : 0) })}
            </p>
            {corrected ? (
              <p className="search-corrected muted">
                {m.search_corrected({ words: corrected })}{' '}
                <Link
                  verb="redirect"
                  to="/pages/search/wholeSearch"
                  search={{ keyWords, exactly: true }}
                >
                  {m.search_exactly({ words: keyWords })}
                </Link>
              </p>
            ) : null}
            {answer ? (
              <AnswerCard
                answer={answer}
                opening={opening.opening}
                onService={(serviceId) =>
                  opening.open({ kind: 'service', id: serviceId, to: '', serviceId })
                }
              />
            ) : null}
            <ResultGroups groups={groups} keyWords={keyWords} opening={opening} />
            {groups.length > 0 ? (
              <Link
                className="button button-plain button-wide"
                to="/pages/search/allSearch"
                search={{ keyWords }}
              >
                {m.search_all()}
              </Link>
            ) : null}
          </>
        )}
      </QueryView>
      {member ? null : (
        <p className="search-corrected muted">
          {m.search_visitor()}{' '}
          <Button kind="plain" small onClick={() => signIn()}>
            {m.shell_sign_in()}
          </Button>
        </p>
      )}
    </>
  )
}

/** The robot's address, to ask about what was not found; undefined if the institution has turned it off. */
function useRobot() {
  const { isShowRobot, ENV_ALIYUN } = useSettings()
  if (isShowRobot === '0') return undefined
  return ENV_ALIYUN === '1' ? '/pages/robot/AI' : '/pages/robot/robot'
}
