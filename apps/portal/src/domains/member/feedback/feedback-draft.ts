import type { FeedbackPhoto } from '@atrium/contract/member/feedback'
import type { Point } from '@atrium/contract/shell/map'
import { draftStore } from '#lib/draft-store.ts'
import { randomId } from '#lib/random-id.ts'

/** The draft of a feedback; it survives looking at other pages. */
export type Draft = {
  /** idempotency key, sent with every attempt */
  key: string
  kindId: string
  content: string
  place: string
  /** coordinates of the place */
  point: Point | null
  contact: string
  mayPublish: boolean
  /** photos already uploaded */
  photos: readonly FeedbackPhoto[]
}

const blank = (): Draft => ({
  key: randomId(),
  kindId: '',
  content: '',
  place: '',
  point: null,
  contact: '',
  mayPublish: false,
  photos: [],
})

const store = draftStore(blank, 'feedback.new')
export const useDraft = store.use
export const useIsDraftDirty = store.useIsDirty
export const changeDraft = (change: Partial<Draft>) => store.set({ ...store.get(), ...change })
export const clearDraft = store.clear
