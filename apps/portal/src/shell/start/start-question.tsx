import './start-question.css'
import { identity } from '@atrium/contract/identity/identity'
import { call } from '#lib/api.ts'
import { inLanguage } from '#lib/language.ts'
import { liveSession } from '#lib/renewal.ts'
import { getSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { withTimeout } from '#shell/with-timeout.ts'
import { Button } from '#ui/form/button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import type { VerifiedMember } from './start-credential.ts'

type Names = { present: string; newcomer: string }

/** The names of both members in the reader's language. A token holds only one name; the server knows both. */
export async function findNames(newcomer: VerifiedMember): Promise<Names> {
  const session = (await withTimeout(liveSession())) ?? getSession()
  const [present, newcomerName] = await Promise.all([session && nameOf(session), nameOf(newcomer)])
  return { present: present ?? '', newcomer: newcomerName }
}

async function nameOf({
  token,
  name,
  username,
}: Pick<VerifiedMember, 'token' | 'name' | 'username'>) {
  const verified = await withTimeout(call(identity.verify, { body: { token } }))
  return (verified && inLanguage(verified.name, verified.nameEn)) || name || username
}

/** The address brought another member's session: the user decides before anything of either is shown. */
export function StartQuestion({
  present,
  newcomer,
  onAnswer,
}: Names & { onAnswer: (change: boolean) => void }) {
  return (
    <main className="start-question column">
      <Icon name="me" />
      <h1>{m.shell_other_member()}</h1>
      <p>{m.shell_other_member_text({ present, newcomer })}</p>
      <Button kind="primary" wide onClick={() => onAnswer(false)}>
        {m.shell_other_member_stay({ name: present })}
      </Button>
      <Button kind="plain" wide onClick={() => onAnswer(true)}>
        {m.shell_other_member_change({ name: newcomer })}
      </Button>
    </main>
  )
}
