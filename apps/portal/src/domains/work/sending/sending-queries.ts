import type { Query, Reply } from '@atrium/contract/define'
import { type Recipient, type SendingResult, sending } from '@atrium/contract/work/sending'
import { sendingLedger } from '@atrium/contract/work/sending-ledger'
import type { MemberVariable } from '@atrium/rules/messages/variables'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { numberedPages, pages, q } from '#lib/queries.ts'
import { type Channel, type Draft, getDraft, isBlank, loadDraft } from './draft.ts'

export type Rights = Reply<typeof sending.rights>
export const useRights = () => useQuery({ ...q(sending.rights), staleTime: 5 * 60_000 })

export const useSendings = () => useInfiniteQuery(numberedPages(sending.list))

/** Queried again for each list of recipients, so that nobody sends on an outdated count. */
export const usePreview = (
  recipients: Recipient[],
  { channels, kind }: { channels: Channel[]; kind: Draft['kind'] },
  variables: MemberVariable[],
) =>
  useQuery({
    ...q(sending.preview, { body: { recipients, channels, kind, needs: variables } }),
    enabled: recipients.length > 0,
    staleTime: 10_000,
  })

/** Loads the draft written on another device, or before a reload. @returns whether that is known */
export function useSavedDraft(): boolean {
  const saved = useQuery({ ...q(sending.draft), enabled: isBlank(getDraft()), gcTime: 0 })
  useEffect(() => {
    if (saved.data && isBlank(getDraft())) loadDraft(saved.data)
  }, [saved.data])
  return !saved.isLoading
}

export const useApprovals = () => useInfiniteQuery(numberedPages(sendingLedger.approvals))

export const useCurve = (sendId: string) => useQuery(q(sendingLedger.curve, { query: { sendId } }))

/**
 * Polls while a message is being sent, since its figures change; a scheduled message that is due may start at any
 * moment.
 */
export const useResult = (sendId: string) =>
  useQuery({
    ...q(sendingLedger.result, { query: { sendId } }),
    refetchInterval: ({ state: { data } }) => (data && isInProgress(data) ? 2000 : false),
  })

const isInProgress = ({ status, sendTime, reminders }: SendingResult) =>
  status === 'sending' ||
  reminders.some(({ finished }) => !finished) ||
  (status === 'scheduled' && Date.parse(sendTime) <= Date.now())

export type RecipientStatus = NonNullable<Query<typeof sendingLedger.recipients>['status']>

export const useRecipients = (sendId: string, status: RecipientStatus | undefined) =>
  useInfiniteQuery(
    pages(sendingLedger.recipients, { query: { sendId, ...(status && { status }) } }),
  )
