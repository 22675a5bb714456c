import type { PersonalConnector, SourceKind } from '@atrium/contract/member/personal-source'
import { queryHttp } from './query-http.ts'
import { queryImap } from './query-imap.ts'
import { querySql } from './query-sql.ts'
import { type CardValue, type Problem, shapeAnswer } from './shapes.ts'
import { type RawAnswer, SourceError, type SourceRequest } from './source-request.ts'

export type Answer = {
  /** null: the system does not know the member */
  value: CardValue | null
  problems: Problem[]
}

/**
 * Reads what a system knows about one member.
 * @throws Error saying to operators why there is no answer; ForeignAnswer if it is about somebody else
 */
export async function querySource(
  kind: SourceKind,
  connector: PersonalConnector,
  request: SourceRequest,
  timeZone: string,
): Promise<Answer> {
  const { who } = request
  // Without an identifier, a system might answer with everybody's data or somebody else's.
  if (kind !== 'scan' && !(connector.by === 'username' ? who.username : who.number))
    return { value: null, problems: [] }
  const answer = await queryByTransport(kind, connector, request)
  if (!answer) return { value: null, problems: [] }
  const { value, problems } = shapeAnswer(kind, answer.raw, {
    timeZone,
    moneyIn: connector.moneyIn,
  })
  const allProblems = [...answer.problems, ...problems]
  if (value) return { value, problems: allProblems }
  const [first] = allProblems
  throw new SourceError(
    `its answer does not match the description: ${first?.field ?? ''} ${first?.text ?? ''}`,
  )
}

function queryByTransport(
  kind: SourceKind,
  connector: PersonalConnector,
  request: SourceRequest,
): Promise<RawAnswer> {
  const { way, http, sql, imap } = connector
  if (way === 'http' && http) return queryHttp(kind, connector, http, request)
  if (way === 'sql' && sql) return querySql(kind, connector, sql, request)
  if (way === 'imap' && imap) return queryImap(connector, imap, request)
  throw new SourceError('its data comes from file imports')
}
