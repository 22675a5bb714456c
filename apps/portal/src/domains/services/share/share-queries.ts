import { share } from '@atrium/contract/services/share'
import { figures } from '@atrium/rules/figures'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '#lib/queries.ts'
import { useSession } from '#lib/session.ts'
import { read, write } from '#lib/storage.ts'
import { useSettings } from '#shell/config.ts'

export type Shareable = { kind: 'service' | 'news'; id: string }

const { serviceShare, newsShare } = figures

/** The institution's sharing mode: off, a sheet of options, immediately, or directly to the service. */
export function useShareType(kind: Shareable['kind']): number {
  const { ENV_SERVICE_SHARE_TYPE, ENV_NEWS_SHARE_TYPE } = useSettings()
  return kind === 'service'
    ? (serviceShare[ENV_SERVICE_SHARE_TYPE as keyof typeof serviceShare] ?? serviceShare.off)
    : (newsShare[ENV_NEWS_SHARE_TYPE as keyof typeof newsShare] ?? newsShare.off)
}

/** Fetched before the tap: browsers open their share sheet only during the tap's event. */
export const useShareLink = ({ kind, id }: Shareable, named: boolean, isEnabled: boolean) =>
  useQuery({
    ...q(share.link, { query: { kind, id, named } }),
    staleTime: 10 * 60_000,
    enabled: isEnabled,
  })

/** Whether the member's name is included: off by default; stored on this device. */
export function useShareWithName() {
  const account = useSession()?.accountId
  const [chosen, setChosen] = useState(() => read('shareNamed') ?? {})
  return {
    named: account !== undefined && chosen[account] === true,
    setNamed(named: boolean) {
      if (account === undefined) return
      const { [account]: _, ...others } = read('shareNamed') ?? {}
      const next = named ? { ...others, [account]: true as const } : others
      write('shareNamed', next)
      setChosen(next)
    },
  }
}

export const useSharedService = (serviceInfo: string) =>
  useQuery(q(share.service, { query: { serviceInfo } }))

export const useSharedArticle = (data: string) => useQuery(q(share.news, { query: { data } }))
