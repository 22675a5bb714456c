import './privacy.css'
import { type BlockedMember, privacy } from '@atrium/contract/member/privacy'
import { type ReactNode, useState } from 'react'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { SearchField } from '#ui/form/search-field.tsx'
import { RowList } from '#ui/list-row.tsx'
import { Avatar } from '#ui/media/avatar.tsx'
import { useBlackList, useMemberSearch } from './privacy-queries.ts'

/** The members blocked by this member. */
export default function BlackListPage() {
  const blackList = useBlackList()
  const [words, setWords] = useState('')
  const { query: found, isEnabled } = useMemberSearch(words)
  return (
    <Page onRefresh={() => blackList.refetch()}>
      <div className="column stack">
        <p className="privacy-text">{m.privacy_blocked_text()}</p>
        <search>
          <SearchField label={m.privacy_find_member()} value={words} onValue={setWords} />
        </search>
        {isEnabled && words.trim() ? (
          <QueryView
            query={found}
            skeleton={<Skeleton rows={3} label={m.shell_loading()} />}
            isEmpty={(list) => list.length === 0}
            empty={
              <Card>
                <Empty icon="search" title={m.privacy_nobody_found()}>
                  {m.privacy_nobody_found_hint()}
                </Empty>
              </Card>
            }
          >
            {(list) => (
              <RowList label={m.privacy_found()}>
                {list.map((member) => (
                  <MemberRow key={member.member} member={member}>
                    <Block {...member} name={inLanguage(member.name, member.nameEn)} />
                  </MemberRow>
                ))}
              </RowList>
            )}
          </QueryView>
        ) : (
          <QueryView
            query={blackList}
            skeleton={<Skeleton rows={3} label={m.shell_loading()} />}
            isEmpty={(list) => list.length === 0}
            empty={
              <Card>
                <Empty icon="mute" title={m.privacy_blocked_empty()}>
                  {m.privacy_blocked_empty_hint()}
                </Empty>
              </Card>
            }
          >
            {(list) => (
              <RowList label={m.privacy_blocked_title()}>
                {list.map((member) => (
                  <MemberRow key={member.accountId} member={member}>
                    <Unblock
                      name={inLanguage(member.name, member.nameEn)}
                      accountId={member.accountId}
                    />
                  </MemberRow>
                ))}
              </RowList>
            )}
          </QueryView>
        )}
      </div>
    </Page>
  )
}

type Member = Omit<BlockedMember, 'accountId' | 'blockedAt'>

function MemberRow({ member, children }: { member: Member; children: ReactNode }) {
  return (
    <li className="member-row">
      <Avatar name={inLanguage(member.name, member.nameEn)} url={member.portraitUrl} size={40} />
      <div className="member-row-text">
        <p>{inLanguage(member.name, member.nameEn)}</p>
        <p className="muted">{inLanguage(member.organizationName, member.organizationNameEn)}</p>
      </div>
      {children}
    </li>
  )
}

const lists = [privacy.blackList, privacy.findMembers]

function Block({ name, member, blocked }: { name: string; member: string; blocked: boolean }) {
  const { mutate, isPending } = useAction(privacy.block, {
    invalidates: lists,
    done: () => toast(m.privacy_block_done({ name })),
  })
  return (
    <Button
      kind="plain"
      small
      busy={isPending}
      disabled={blocked}
      aria-label={blocked ? undefined : m.privacy_block_member({ name })}
      onClick={() => mutate({ body: { member } })}
    >
      {blocked ? m.privacy_block_there() : m.privacy_block()}
    </Button>
  )
}

function Unblock({ name, accountId }: { name: string; accountId: string }) {
  const { mutate, isPending } = useAction(privacy.unblock, {
    invalidates: lists,
    done: () => toast(m.privacy_unblock_done({ name })),
  })
  return (
    <Button
      kind="plain"
      small
      busy={isPending}
      aria-label={m.privacy_unblock_member({ name })}
      onClick={() => mutate({ params: { accountId } })}
    >
      {m.privacy_unblock()}
    </Button>
  )
}
