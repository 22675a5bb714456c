import type { FeedbackPhoto } from '@atrium/contract/member/feedback'
import { draftStore } from '#lib/draft-store.ts'
import { randomId } from '#lib/random-id.ts'

/** Feedback that is being written: it is still there when one has looked something up meanwhile. */
export type Draft = {
  /** the sender's own id of it: sent along with every try */
  key: string
  kindId: string
  content: string
  place: string
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
  contact: '',
  mayPublish: false,
  photos: [],
})

const store = draftStore(blank, 'feedback.new')
export const useDraft = store.use
export const useIsDraftKept = store.useKept
export const changeDraft = (change: Partial<Draft>) => store.set({ ...store.get(), ...change })
export const clearDraft = store.clear
