import { type MemberVariable, variablesUsed } from '@atrium/rules/messages/variables'
import { getLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Card } from '#ui/card.tsx'
import { Field } from '#ui/form/field.tsx'
import { changeDraft, type Draft, useDraft } from './draft.ts'

/** Names of the variables filled from members' data. */
export const memberVariableNames: Record<MemberVariable, () => string> = {
  name: m.sending_variable_name,
  number: m.sending_variable_number,
  department: m.sending_variable_department,
}

export const usedIn = ({ title, titleEn, content, contentEn }: Draft) =>
  variablesUsed([title, titleEn, content, contentEn])

/** The author's variables without a value. */
export const unfilled = (draft: Draft) =>
  usedIn(draft).ofAuthor.filter((name) => !draft.variables[name]?.trim())

/** Inserts a variable at the caret of the form's last focused field. */
export function VariableButtons({ target }: { target: () => HTMLElement | null }) {
  const chinese = getLanguage() === 'zh'
  const codes: [MemberVariable, string][] = [
    ['name', '姓名'],
    ['number', '学工号'],
    ['department', '部门'],
  ]
  return (
    <div className="sending-variables">
      <span className="muted" id="sending-variables">
        {m.sending_variables_insert()}
      </span>
      {codes.map(([name, inChinese]) => (
        <button
          key={name}
          type="button"
          className="sending-variable"
          aria-describedby="sending-variables"
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            target()?.focus()
            // The only call that inserts into inputs and editors alike and can be undone.
            document.execCommand('insertText', false, `{{${chinese ? inChinese : name}}}`)
          }}
        >
          {memberVariableNames[name]()}
        </button>
      ))}
    </div>
  )
}

/** Values of the text's variables: the author's, and fallbacks for members without a value. */
export function VariablesCard({ issues }: { issues: Record<string, string> }) {
  const draft = useDraft()
  const { ofMembers, ofAuthor } = usedIn(draft)
  if (ofMembers.length + ofAuthor.length === 0) return null
  // Every member has a name and a department; nothing is known about external people.
  const outside = draft.recipients.some((one) => 'externalType' in one || 'eventId' in one)
  const lackable = ofMembers.filter(
    (name) => name === 'number' || outside || draft.variables[name] !== undefined,
  )
  const set = (name: string, value: string) =>
    changeDraft({ variables: { ...draft.variables, [name]: value } })
  return (
    <Card title={m.sending_variables()}>
      <div className="sending-form">
        {ofAuthor.map((name) => (
          <Field
            key={name}
            label={name}
            value={draft.variables[name] ?? ''}
            onValue={(value) => set(name, value)}
            maxLength={500}
            {...(issues[`variables.${name}`] && { error: issues[`variables.${name}`] })}
          />
        ))}
        {lackable.map((name) => (
          <Field
            key={name}
            label={m.sending_variable_instead({ name: memberVariableNames[name]() })}
            value={draft.variables[name] ?? ''}
            onValue={(value) => set(name, value)}
            maxLength={500}
          />
        ))}
        {ofMembers.length > 0 ? (
          <p className="muted">
            {m.sending_variables_own({
              example: getLanguage() === 'zh' ? '{{地点}}' : '{{place}}',
            })}
          </p>
        ) : null}
      </div>
    </Card>
  )
}
