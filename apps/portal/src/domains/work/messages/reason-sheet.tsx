import { type MessageReason, messages } from '@atrium/contract/work/messages'
import { useQuery } from '@tanstack/react-query'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Sheet } from '#ui/feedback/dialog.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { useAppSettings } from './messages-queries.ts'

type ReasonSheetProps = { id: string; open: boolean; onClose: () => void }

/** Why a message was received: sender, kind and recipients; with a switch to change it. */
export function ReasonSheet({ id, open, onClose }: ReasonSheetProps) {
  const reason = useQuery({ ...q(messages.reason, { query: { id } }), enabled: open })
  return (
    <Sheet open={open} onClose={onClose} title={m.messages_why()}>
      <QueryView
        query={reason}
        skeleton={<Skeleton rows={3} height={40} label={m.shell_loading()} />}
      >
        {(data) => <Reason reason={data} />}
      </QueryView>
    </Sheet>
  )
}

function Reason({ reason }: { reason: MessageReason }) {
  const { mute } = useAppSettings()
  const { sender, senderEn, typeName, typeNameEn, appId, disturbed } = reason
  const facts = [
    [m.messages_why_sender(), inLanguage(sender, senderEn)],
    [m.messages_why_kind(), inLanguage(typeName, typeNameEn)],
    [m.messages_why_chosen(), chosenText(reason)],
  ].filter(([, value]) => value)
  return (
    <>
      <dl className="message-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Button wide kind="plain" onClick={() => mute(appId, !disturbed)}>
        {disturbed ? m.messages_unmute() : m.messages_mute()}
      </Button>
      <p className="message-settings">
        <Link to="/pages/set/notify">{m.messages_why_settings()}</Link>
      </p>
    </>
  )
}

function chosenText({ chosenBy, rule }: MessageReason) {
  if (chosenBy === 'name' || rule?.kind === 'account') return m.messages_why_by_name()
  if (!rule) return m.messages_why_rule_past()
  const name = inLanguage(rule.name, rule.nameEn)
  switch (rule.kind) {
    case 'everybody':
      return m.messages_why_everybody()
    case 'identity':
      return m.messages_why_identity({ name })
    case 'organization':
      return m.messages_why_organization({ name })
    case 'group':
      return m.messages_why_group({ name })
  }
}
