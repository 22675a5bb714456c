import { type Recipient, type SendingDraft, sending } from '@atrium/contract/work/sending'
import { chooserKey, rebuildChooserList } from '@atrium/rules/chooser'
import { call } from '#lib/api.ts'
import { draftStore } from '#lib/draft-store.ts'
import { randomId } from '#lib/random-id.ts'
import { getSession, onSession } from '#lib/session.ts'

/** A recipient with its display name. */
export type Chosen = Recipient & { name: string }
export type Channel = 'push' | 'mail' | 'sms' | 'wecom' | 'wechat'

export type Draft = {
  /** idempotency key of the message, sent with every attempt */
  key: string
  title: string
  titleEn: string
  content: string
  contentEn: string
  /** plain text, or formatted HTML */
  format: 'text' | 'html'
  /** the author's values for the variables in the text */
  variables: Record<string, string>
  /** a page of the portal or an HTTPS address */
  url: string
  kind: SendingDraft['kind']
  files: SendingDraft['files']
  /** answers to choose from */
  choices: SendingDraft['choices']
  channels: Channel[]
  recipients: Chosen[]
  confirm: boolean
  /** both in the institution's time zone; empty: send immediately */
  day: string
  time: string
  /** recipients per minute; empty: as fast as possible */
  perMinute: string
}
/** Whether the latest changes are stored on the server. */
export type DraftState = 'none' | 'saving' | 'saved' | 'failed'

/** Milliseconds after the last change. */
const saveDelay = 1200
/** Milliseconds after a failed attempt. */
const retryDelay = 8000

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
/** The save request in progress. */
let saving: Promise<unknown> | undefined

/** Changes the draft and saves it on the server after a pause, so that the author can continue on any device. */
export function changeDraft(change: Partial<Draft>) {
  store.set({ ...store.get(), ...change })
  states.set('saving')
  saveIn(saveDelay)
}

function saveIn(milliseconds: number) {
  clearTimeout(timer)
  timer = setTimeout(save, milliseconds)
}

function save() {
  clearTimeout(timer)
  timer = undefined
  const snapshot = store.get()
  // Sequentially, so that an older copy never replaces a newer one.
  const request = Promise.resolve(saving)
    .then(() => call(sending.saveDraft, { body: toSavedDraft(snapshot) }))
    .then(
      () => {
        if (store.get() === snapshot) states.set('saved')
      },
      () => {
        if (store.get() !== snapshot) return
        states.set('failed')
        saveIn(retryDelay)
      },
    )
    .finally(() => {
      if (saving === request) saving = undefined
    })
  saving = request
}

const saveNow = () => {
  if (timer !== undefined) save()
}
addEventListener('online', saveNow)
// A hidden page may not come back.
addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') saveNow()
})
let author = getSession()?.accountId
onSession(() => {
  const now = getSession()?.accountId
  // The draft belongs to the previous account.
  if (now !== author) clearTimeout(timer)
  author = now
})

/** Starts a new draft. The server deletes the draft of a sent message itself; `drop` deletes a discarded one. */
export function clearDraft({ drop = false } = {}) {
  clearTimeout(timer)
  timer = undefined
  store.set(blank())
  states.set('none')
  // A copy still being saved would arrive after the message was sent and reappear as a draft.
  if (drop || saving)
    void Promise.resolve(saving)
      .then(() => call(sending.deleteDraft))
      .catch(() => {})
}

/** Continues the server's draft, or starts from a copy of an earlier message. */
export function loadDraft({ recipients, ...content }: SendingDraft) {
  store.set({
    ...blank(),
    ...content,
    recipients: recipients.map(({ name, entry }) => ({ ...entry, name })),
  })
  states.set('none')
}

export const isBlank = ({ title, titleEn, content, contentEn, recipients, files }: Draft) =>
  [title, titleEn, content, contentEn].every((text) => text === '') &&
  recipients.length === 0 &&
  files.length === 0

const toSavedDraft = ({
  key: _,
  day: __,
  time: ___,
  perMinute: ____,
  recipients,
  ...content
}: Draft) => ({
  ...content,
  recipients: recipients.map((one) => ({ name: one.name.slice(0, 200), entry: recipientOf(one) })),
})

/** The message being written, shared by the form and the recipient pages. */
export const useDraft = store.use
export const useDraftState = states.use
export const getDraft = store.get

export const isChosen = (entry: Recipient) =>
  store.get().recipients.some((one) => chooserKey(one) === chooserKey(entry))

export const addRecipients = (...entries: Chosen[]) =>
  changeDraft({ recipients: rebuildChooserList([...store.get().recipients, ...entries]) })

export const removeRecipient = (entry: Recipient) =>
  changeDraft({
    recipients: store.get().recipients.filter((one) => chooserKey(one) !== chooserKey(entry)),
  })

/** A recipient in the form that the server accepts. */
export function recipientOf(entry: Chosen): Recipient {
  const { name: _, ...recipient } = entry
  return recipient
}
