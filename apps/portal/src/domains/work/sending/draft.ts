import { type Recipient, type SendingDraft, sending } from '@atrium/contract/work/sending'
import { chooserKey, rebuildChooserList } from '@atrium/rules/chooser'
import { call } from '#lib/api.ts'
import { draftStore } from '#lib/draft-store.ts'
import { randomId } from '#lib/random-id.ts'

/** An entry of the chooser with what it is called. */
export type Chosen = Recipient & { name: string }
export type Channel = 'push' | 'mail' | 'sms' | 'wecom' | 'wechat'

export type Draft = {
  /** the sender's own id of the message: sent along with every try */
  key: string
  title: string
  titleEn: string
  content: string
  contentEn: string
  /** plain text, or HTML with its layout */
  format: 'text' | 'html'
  /** what its author gives for the variables of the text */
  variables: Record<string, string>
  /** a page of the portal or an https address */
  url: string
  kind: SendingDraft['kind']
  files: SendingDraft['files']
  /** answers to choose from */
  choices: SendingDraft['choices']
  channels: Channel[]
  recipients: Chosen[]
  confirm: boolean
  /** both by the clock of the institution's zone; empty: at once */
  day: string
  time: string
  /** recipients a minute; empty: as fast as they can be reached */
  perMinute: string
}
/** What is kept on the server of what was written last. */
export type DraftState = 'none' | 'saving' | 'saved' | 'failed'

/** After the last change, in ms. */
const savedAfter = 1200

const blank = (): Draft => ({
  key: randomId(),
  title: '',
  titleEn: '',
  content: '',
  contentEn: '',
  format: 'text',
  variables: {},
  url: '',
  kind: 'notice',
  files: [],
  choices: [],
  channels: ['push'],
  recipients: [],
  confirm: false,
  day: '',
  time: '09:00',
  perMinute: '',
})

const store = draftStore(blank)
const states = draftStore((): DraftState => 'none')
let timer: ReturnType<typeof setTimeout> | undefined
/** The copy that is on its way to the server. */
let saving: Promise<unknown> | undefined

/** A change of its author's: it is kept on the server a moment later, for whatever device they go on with. */
export function changeDraft(change: Partial<Draft>) {
  store.set({ ...store.get(), ...change })
  states.set('saving')
  clearTimeout(timer)
  timer = setTimeout(() => {
    const kept = store.get()
    // One after the other, so that an older copy never replaces a newer one.
    const mine = Promise.resolve(saving)
      .then(() => call(sending.saveDraft, { body: keptOf(kept) }))
      .then(
        () => store.get() === kept && states.set('saved'),
        () => store.get() === kept && states.set('failed'),
      )
      .finally(() => {
        if (saving === mine) saving = undefined
      })
    saving = mine
  }, savedAfter)
}

/** Begins anew. The server forgets what was sent by itself, and what was dropped by `drop`. */
export function clearDraft({ drop = false } = {}) {
  clearTimeout(timer)
  store.set(blank())
  states.set('none')
  // A copy that is still on its way would arrive after the message went out, and the message be written once more.
  if (drop || saving)
    void Promise.resolve(saving)
      .then(() => call(sending.deleteDraft))
      .catch(() => {})
}

/** Goes on with what the server has, or with a copy of an earlier message. */
export function takeDraft({ recipients, ...kept }: SendingDraft) {
  store.set({
    ...blank(),
    ...kept,
    recipients: recipients.map(({ name, entry }) => ({ ...entry, name })),
  })
  states.set('none')
}

export const isBlank = ({ title, titleEn, content, contentEn, recipients, files }: Draft) =>
  [title, titleEn, content, contentEn].every((text) => text === '') &&
  recipients.length === 0 &&
  files.length === 0

const keptOf = ({ key: _, day: __, time: ___, perMinute: ____, recipients, ...kept }: Draft) => ({
  ...kept,
  recipients: recipients.map((one) => ({ name: one.name.slice(0, 200), entry: recipientOf(one) })),
})

/** The message that is being written; the screens of the chooser and the form share it. */
export const useDraft = store.use
export const useDraftState = states.use
export const getDraft = store.get

export const isChosen = (entry: Recipient) =>
  store.get().recipients.some((one) => chooserKey(one) === chooserKey(entry))

export const choose = (...entries: Chosen[]) =>
  changeDraft({ recipients: rebuildChooserList([...store.get().recipients, ...entries]) })

export const leaveOut = (entry: Recipient) =>
  changeDraft({
    recipients: store.get().recipients.filter((one) => chooserKey(one) !== chooserKey(entry)),
  })

/** What the server takes of an entry. */
export function recipientOf(entry: Chosen): Recipient {
  const { name: _, ...recipient } = entry
  return recipient
}
