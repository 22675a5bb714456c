import './robot.css'
import {
  type AnswerPart,
  type AnswerSource,
  type DialogLine,
  robot,
} from '@atrium/contract/discovery/robot'
import type { ReactNode } from 'react'
import { formatRelativeTime } from '#lib/format.ts'
import { foreignLang, inLanguage, userTextLang } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { Facts } from '#ui/facts.tsx'
import { Button } from '#ui/form/button.tsx'
import { Icon, type IconName } from '#ui/media/icon.tsx'
import { ProposalCard } from './proposal-card.tsx'
import { SourceLink } from './source-link.tsx'

type LineViewProps = {
  line: DialogLine
  dialogId: string
  /** the reader's side; lines of the other side are on the left */
  reader?: 'member' | 'agent'
  /** below the robot's newest line */
  children?: ReactNode
}

/** One line of a dialog. */
export function LineView({ line, dialogId, reader = 'member', children }: LineViewProps) {
  if (line.author === 'note')
    return <p className="chat-note muted">{inLanguage(line.text, line.textEn)}</p>
  const isOwn = line.author === reader
  return (
    <div className={isOwn ? 'chat-line chat-line-own' : 'chat-line'}>
      <p className="chat-who muted num">
        <Facts of={[authorOf(line, reader), formatRelativeTime('robot', line.at)]} />
      </p>
      {line.notice ? (
        <p className="chat-notice">
          <Icon name="info" /> {noticeText(line.notice)}
        </p>
      ) : null}
      {line.parts.length > 0 ? (
        <AnswerView parts={line.parts} sources={line.sources} ways={line.ways} />
      ) : (
        <p className="chat-bubble" lang={userTextLang(line.text)}>
          {line.text}
        </p>
      )}
      {reader === 'member'
        ? line.proposals.map((proposal, at) => (
            <ProposalCard
              // biome-ignore lint/suspicious/noArrayIndexKey: proposals of one answer never move
              key={at}
              proposal={proposal}
              dialogId={dialogId}
              lineId={line.id}
              index={at}
            />
          ))
        : null}
      {line.byModel ? <p className="chat-who muted">{m.robot_by_model()}</p> : null}
      {children}
    </div>
  )
}

function authorOf({ author, agentName, agentNameEn }: DialogLine, reader: 'member' | 'agent') {
  if (author === 'robot') return m.robot_name()
  if (author === 'agent') return inLanguage(agentName, agentNameEn) || m.robot_desk()
  return reader === 'agent' ? m.robot_asker() : ''
}

const noticeText = (notice: NonNullable<DialogLine['notice']>) =>
  ({
    memberBudget: m.robot_member_budget,
    budget: m.robot_budget,
    down: m.robot_model_down,
    slow: m.robot_model_slow,
    cut: m.robot_model_cut,
    garbage: m.robot_model_down,
  })[notice]()

const icons: Partial<Record<AnswerSource['kind'], IconName>> = {
  question: 'info',
  guide: 'clipboard',
  service: 'grid',
  page: 'grid',
  place: 'place',
  news: 'news',
  event: 'calendar',
  person: 'person',
}

type AnswerViewProps = {
  parts: readonly AnswerPart[]
  sources: readonly AnswerSource[]
  ways: readonly AnswerSource[]
}

/** The sentences of an answer, each with the number of its source; links are listed below. */
function AnswerView({ parts, sources, ways }: AnswerViewProps) {
  const steps = parts.some(({ text }) => /^(\d+\. |•)/.test(text))
  return (
    <div className="chat-bubble">
      <p>
        {parts.map(({ text, source }, at) => {
          const cited = source === null ? undefined : sources[source]
          const last = parts[at + 1]?.source !== source || steps
          return (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: sentences of one answer never move
              key={at}
              className={steps ? 'chat-step' : undefined}
              lang={userTextLang(text)}
            >
              {text}
              {cited && last ? (
                <SourceLink
                  source={cited}
                  className="chat-cite num"
                  label={m.robot_open_source({
                    number: (source ?? 0) + 1,
                    title: inLanguage(cited.title, cited.titleEn),
                  })}
                >
                  {(source ?? 0) + 1}
                </SourceLink>
              ) : null}
              {/[，。！？；：、”）]$/.test(text) ? '' : ' '}
            </span>
          )
        })}
      </p>
      <Links label={m.robot_sources()} list={sources} numbered />
      <Links label={m.robot_ways()} list={ways} />
    </div>
  )
}

function Links({
  label,
  list,
  numbered,
}: {
  label: string
  list: readonly AnswerSource[]
  numbered?: boolean
}) {
  if (list.length === 0) return null
  return (
    <ul className="chat-links" aria-label={label}>
      {list.map((source, at) => (
        <li key={`${source.kind}:${source.id}`}>
          <SourceLink source={source} className="chat-link">
            {numbered ? <span className="chat-number num">{at + 1}</span> : null}
            <Icon name={icons[source.kind] ?? 'file'} />
            <span lang={foreignLang(source.title, source.titleEn)}>
              {inLanguage(source.title, source.titleEn)}
            </span>
          </SourceLink>
        </li>
      ))}
    </ul>
  )
}

/** Asks whether an answer helped. */
export function LineRating({ line, dialogId }: { line: DialogLine; dialogId: string }) {
  const { mutate, isPending } = useAction(robot.comment, { invalidates: [robot.dialog] })
  const rate = (helpful: boolean) => mutate({ body: { dialogId, lineId: line.id, helpful } })
  if (line.outcome !== 'answered') return null
  if (line.helpful !== null)
    return (
      <p className="chat-judged muted" role="status">
        {line.helpful ? m.robot_said_helpful() : m.robot_said_unhelpful()}
      </p>
    )
  return (
    <fieldset className="chat-judgement">
      <legend className="unseen">{m.robot_helped()}</legend>
      <Button kind="plain" small busy={isPending} onClick={() => rate(true)}>
        {m.robot_helpful()}
      </Button>
      <Button kind="plain" small busy={isPending} onClick={() => rate(false)}>
        {m.robot_unhelpful()}
      </Button>
    </fieldset>
  )
}
