import type { PersonalConnector, SourceKind } from '@atrium/contract/member/personal-source'
import { askHttp } from './ask-http.ts'
import { askImap } from './ask-imap.ts'
import { askSql } from './ask-sql.ts'
import { type Asked, type Asking, SourceError } from './asked.ts'
import { type Kept, type Problem, shapeAnswer } from './shapes.ts'

export type Answer = {
  /** null: the system does not know the member */
  value: Kept | null
  problems: Problem[]
}

/**
 * Reads what a system knows about one member.
 * @throws Error saying to operators why there is no answer; ForeignAnswer if it is about somebody else
 */
export async function askSource(
  kind: SourceKind,
  connector: PersonalConnector,
  asking: Asking,
  timeZone: string,
): Promise<Answer> {
  const { who } = asking
  // Without an identifier, a system might answer with everybody's data or somebody else's.
  if (kind !== 'scan' && !(connector.by === 'username' ? who.username : who.number))
    return { value: null, problems: [] }
  const asked = await askBy(kind, connector, asking)
  if (!asked) return { value: null, problems: [] }
  const { value, problems } = shapeAnswer(kind, asked.raw, {
    timeZone,
    moneyIn: connector.moneyIn,
  })
  const all = [...asked.problems, ...problems]
  if (value) return { value, problems: all }
  const [first] = all
  throw new SourceError(`its answer does not fit: ${first?.field ?? ''} ${first?.text ?? ''}`)
}

function askBy(kind: SourceKind, connector: PersonalConnector, asking: Asking): Promise<Asked> {
  const { way, http, sql, imap } = connector
  if (way === 'http' && http) return askHttp(kind, connector, http, asking)
  if (way === 'sql' && sql) return askSql(kind, connector, sql, asking)
  if (way === 'imap' && imap) return askImap(connector, imap, asking)
  throw new SourceError('it is filled by import')
}
