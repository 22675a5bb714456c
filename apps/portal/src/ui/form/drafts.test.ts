import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../domains')

/** Forms without `DraftForm`, `DraftFields` or a `draftStore`, and the reason. */
const withoutDraft: Record<string, string> = {
  'identity/account/form.tsx': 'passwords, codes and contacts that are proven with them',
  'identity/federation/bind-form.tsx': 'a password or a code',
  'identity/login/password-form.tsx': 'a password',
  'identity/login/password-step.tsx': 'a password',
  'identity/passwordless/code-login-page.tsx': 'a code',
  'identity/passwordless/recovery-page.tsx': 'a code and a new password',
  'identity/second-factor/factor-form.tsx': 'a code',
  'identity/second-factor/totp-setup.tsx': 'a code',
  'identity/second-factor/passkeys-page.tsx': 'names a credential',
  'work/calendar-exchange/subscriptions-page.tsx': 'the address of a calendar may hold its secret',
  'member/privacy/close-account-page.tsx': 'nobody closes an account by finding it half done',
  'discovery/search/search-box.tsx': 'words of a search, which the address keeps',
  'discovery/search/answer-card.tsx': 'words of a search in another system',
  'content/editorial/steps.tsx': 'a remark to a step of an article, kept by the editor',
  'content/editorial/edit-page.tsx': 'an article is kept on the server, by the editor',
  'content/writing/details.tsx': 'autosave.ts keeps an article with each change',
  'content/writing/editor-pane.tsx': 'autosave.ts keeps an article with each change',
  'content/writing/insert-dialogs.tsx': 'a link, formula or picture on its way into the text',
  'member/personal-sources/connect-source.tsx': 'a description may hold a secret by mistake',
  'services/service-catalogue/guide-lists.tsx': 'rows of guide-part.tsx, which keeps them',
  'work/forms/form-fields.tsx': 'fields of the forms that use it',
  'work/applications/apply-page.tsx': 'kept on the server with each change',
  'work/sending/sending-form.tsx': 'kept on the server with each change',
  'work/sending/text-fields.tsx': 'kept on the server with each change',
  'work/todos/edit-page.tsx': 'todo-draft.ts keeps it',
  'work/appointments/appointment-form.tsx': 'appointment-draft.ts keeps it',
  'member/feedback/new-feedback-page.tsx': 'feedback-draft.ts keeps it',
}

const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.tsx'),
)
const textOf = (name: string) => readFileSync(join(root, name), 'utf8')
const isForm = (text: string) => /<form\b|<TextArea\b|<textarea\b/.test(text)
const keeps = (text: string) => /<DraftForm\b|<DraftFields\b/.test(text)

const forms = files.filter((name) => isForm(textOf(name)) || keeps(textOf(name)))

test('finds more than 40 forms', () => expect(forms.length).toBeGreaterThan(40))

test.each(forms.map((name) => relative('.', name)))(
  '%s stores a draft or is listed as an exception',
  (name) => {
    const text = textOf(name)
    if (withoutDraft[name]) return expect(withoutDraft[name]).not.toBe('')
    // A plain `<form>` beside a stored one is not stored.
    expect(
      keeps(text) && !/<form\b/.test(text),
      'use DraftForm or DraftFields of #ui/form/draft-form.tsx, or say in this test why nothing may be kept',
    ).toBe(true)
  },
)

test.each(forms.filter((name) => keeps(textOf(name))))('%s calls deleteDraft', (name) => {
  const text = textOf(name)
  // The caller of the task dialog drops its draft.
  if (name === 'work/task-handling/handle-dialog.tsx') return
  expect(text).toMatch(/deleteDraft\(/)
})
