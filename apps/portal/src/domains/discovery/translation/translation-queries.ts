import type { translatable } from '@atrium/contract/discovery/translation'
import { translation } from '@atrium/contract/discovery/translation'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { useSession } from '#lib/session.ts'
import { useAction } from '#shell/page/action.ts'

type Kind = (typeof translatable)[number]

/**
 * Machine translation of an item, made on request.
 * @param foreign the item has no version in the reader's language
 */
export function useTranslation(kind: Kind, id: string, foreign: boolean) {
  const isMember = useSession() !== null
  const status = useQuery({
    ...q(translation.status),
    enabled: foreign && isMember,
    staleTime: 5 * 60_000,
  }).data
  const [failure, setFailure] = useState('')
  const [showsOriginal, setShowsOriginal] = useState(false)
  const translate = useAction(translation.translate, {
    failed(error) {
      setFailure(error.message)
      return true
    },
  })
  return {
    foreign,
    /** host of the translation service; undefined if this kind cannot be translated */
    host: status?.kinds.includes(kind) ? status.host : undefined,
    translated: showsOriginal ? undefined : translate.data,
    isThere: translate.data !== undefined,
    isBusy: translate.isPending,
    failure,
    translate() {
      setFailure('')
      translate.mutate({ body: { kind, id, to: getLanguage() } })
    },
    showOriginal: setShowsOriginal,
  }
}
export type TranslationState = ReturnType<typeof useTranslation>
