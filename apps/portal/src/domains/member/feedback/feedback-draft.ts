import type { FeedbackPhoto } from '@atrium/contract/member/feedback'
import type { Point } from '@atrium/contract/shell/map'
import { draftStore } from '#lib/draft-store.ts'
import { randomId } from '#lib/random-id.ts'

/** Feedback that is being written: it is still there when one has looked something up meanwhile. */
export type Draft = {
  /** the sender's own id of it: sent along with every try */
  key: string
  kindId: string
  content: string
  place: string
  /** where that is */
  point: Point | null
  contact: string
  mayPublish: boolean
  /** those that are at the server already */
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
export const useIsDraftKept = store.useKept
export const changeDraft = (change: Partial<Draft>) => store.set({ ...store.get(), ...change })
export const clearDraft = store.clear
