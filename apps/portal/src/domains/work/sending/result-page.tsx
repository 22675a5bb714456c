import './sending.css'
import type { SendingResult } from '@atrium/contract/work/sending'
import { isMemberVariable } from '@atrium/rules/messages/variables'
import { channelName } from '#domains/work/notifications/channel-name.ts'
import { formatDayAndTime, formatNumber } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { RichText } from '#ui/media/rich-text.tsx'
import { Curve } from './curve.tsx'
import { Decision } from './decision.tsx'
import { Recipients } from './recipient-list.tsx'
import { ResultActions } from './result-actions.tsx'
import { useResult } from './sending-queries.ts'
import { StatusPill } from './status-pill.tsx'
import { memberVariableNames } from './variables-card.tsx'

const path = '/msgCenter/pages/onlineSend/sendResult'

/** The result of a message: figures, and the state of each recipient. */
export default function ResultPage() {
  const { sendId } = useSearch(path)
  const result = useResult(sendId)
  return (
    <Page onRefresh={() => result.refetch()}>
      <div className="column stack">
        <QueryView query={result} skeleton={<Skeleton height={360} label={m.shell_loading()} />}>
          {(shown) => <Result result={shown} />}
        </QueryView>
      </div>
    </Page>
  )
}

function Result({ result }: { result: SendingResult }) {
  const { timeZone } = useSystem()
  const {
    title,
    titleEn,
    content,
    contentEn,
    status,
    sendTime,
    inbox,
    channels,
    expected,
    format,
  } = result
  const hasStarted = !['pending', 'refused', 'scheduled'].includes(status) && result.recipients > 0
  const changed = hasStarted && result.recipients !== expected
  const answered = result.answers.reduce((sum, { count }) => sum + count, 0)
  return (
    <>
      <Card title={inLanguage(title, titleEn)} aside={<StatusPill status={status} />}>
        <p className="muted num">
          <time dateTime={sendTime}>{formatDayAndTime(sendTime, timeZone)}</time>
        </p>
        {content || contentEn ? (
          format === 'html' ? (
            <RichText html={inLanguage(content, contentEn)} />
          ) : (
            <p className="sending-text">{inLanguage(content, contentEn)}</p>
          )
        ) : null}
        <VariableValues variables={result.variables} />
        {result.files.length > 0 ? (
          <p className="muted">
            {m.sending_with_files({
              names: result.files.map(({ name }) => name).join(m.sending_name_separator()),
            })}
          </p>
        ) : null}
        {result.own ? null : <p className="muted">{m.sending_by({ name: result.author })}</p>}
        {result.decidedAt ? (
          <p className="muted num">
            {status === 'refused'
              ? m.sending_refused_by({
                  name: result.approver,
                  time: formatDayAndTime(result.decidedAt, timeZone),
                })
              : m.sending_approved_by({
                  name: result.approver,
                  time: formatDayAndTime(result.decidedAt, timeZone),
                })}
          </p>
        ) : null}
        {status === 'pending' && result.own ? (
          <p className="sending-note">{m.sending_waits_for_approval()}</p>
        ) : null}
        {status === 'refused' ? <p className="sending-note">{result.refusal}</p> : null}
        {changed ? (
          <p className="sending-note">
            {m.sending_changed_since({
              count: formatNumber(result.recipients),
              expected: formatNumber(expected),
            })}
          </p>
        ) : null}
        {status === 'withdrawn' ? (
          <p className="sending-note">
            {result.tooLate > 0
              ? m.sending_too_late({ count: result.tooLate })
              : m.sending_withdrawn_whole()}
          </p>
        ) : null}
      </Card>
      <Card title={m.sending_inbox()}>
        <Figures total={inbox.total} parts={inboxParts(inbox)} />
      </Card>
      {channels.map((one) => (
        <Card key={one.channel} title={channelName(one.channel)}>
          <Figures
            total={one.total}
            parts={[
              [m.sending_state_sent(), one.sent, 'good'],
              [m.sending_state_queued(), one.queued, 'open'],
              [m.sending_state_held(), one.waiting, 'open'],
              [m.sending_state_skipped(), one.skipped, 'gone'],
              [m.sending_state_failed(), one.failed, 'bad'],
            ]}
          />
        </Card>
      ))}
      {result.answers.length > 0 ? (
        <Card title={m.sending_answers_given()}>
          <Figures
            total={inbox.total}
            parts={[
              ...result.answers.map(
                ({ text, textEn, count }): Part => [inLanguage(text, textEn), count, 'good'],
              ),
              [m.sending_no_answer(), inbox.total - answered, 'gone'],
            ]}
          />
        </Card>
      ) : null}
      {result.own ? (
        <>
          {hasStarted && inbox.read !== null ? <Curve sendId={result.sendId} /> : null}
          <ResultActions result={result} />
          {hasStarted ? <Recipients result={result} /> : null}
        </>
      ) : status === 'pending' ? (
        <Decision sendId={result.sendId} />
      ) : null}
    </>
  )
}

/** The author's values for the variables; members' own values are in their copies. */
function VariableValues({ variables }: Pick<SendingResult, 'variables'>) {
  const values = Object.entries(variables ?? {})
  if (values.length === 0) return null
  return (
    <dl className="sending-given">
      {values.map(([name, value]) => (
        <div key={name}>
          <dt className="muted">
            {isMemberVariable(name)
              ? m.sending_variable_instead({ name: memberVariableNames[name]() })
              : name}
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

type Part = [label: string, count: number, look: 'good' | 'seen' | 'open' | 'gone' | 'bad']

/** If readers were asked to confirm, delivered messages are split by what readers did. */
function inboxParts({
  delivered,
  waiting,
  withdrawn,
  failed,
  read,
  confirmed,
}: SendingResult['inbox']) {
  const reached: Part[] =
    read === null || confirmed === null
      ? [[m.sending_state_delivered(), delivered, 'good']]
      : [
          [m.sending_state_confirmed(), confirmed, 'good'],
          [m.sending_state_read_only(), read - confirmed, 'seen'],
          [m.sending_state_unread(), delivered - read, 'gone'],
        ]
  const rest: Part[] = [
    [m.sending_state_waiting(), waiting, 'open'],
    [m.sending_state_withdrawn(), withdrawn, 'gone'],
    [m.sending_state_failed(), failed, 'bad'],
  ]
  return [...reached, ...rest]
}

/** Parts of a whole, as a bar and in words. Zero parts are omitted. */
function Figures({ total, parts }: { total: number; parts: Part[] }) {
  const shown = parts.filter(([, count]) => count > 0)
  return (
    <>
      <div className="figures-bar" aria-hidden="true">
        {shown.map(([label, count, look]) => (
          <span key={label} className={`figure-${look}`} style={{ flexGrow: count }} />
        ))}
      </div>
      <dl className="figures">
        {shown.map(([label, count, look]) => (
          <div key={label}>
            <dt>
              <span className={`figure-dot figure-${look}`} aria-hidden="true" />
              {label}
            </dt>
            <dd className="num">{count}</dd>
          </div>
        ))}
        <div>
          <dt>{m.sending_total()}</dt>
          <dd className="num">{total}</dd>
        </div>
      </dl>
    </>
  )
}
