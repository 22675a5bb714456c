import './study-systems.css'
import {
  type LtiTool,
  type LtiToolFields,
  ltiConsole,
  ltiScopes,
} from '@atrium/contract/learning/lti'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { deleteDraft } from '#lib/drafts.ts'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { back, redirect } from '#shell/navigation/navigation.ts'
import { useAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftFields } from '#ui/form/draft-form.tsx'
import { Field } from '#ui/form/field.tsx'
import { Switch } from '#ui/form/switch.tsx'
import { TextArea } from '#ui/form/text-area.tsx'

const changed = [ltiConsole.list]

/** A tool that courses may use: the settings exchanged with this platform; or a new one. */
export default function ToolPage() {
  const { id } = useSearch('/pages/secondWork/studySystems/tool')
  const tools = useQuery({ ...q(ltiConsole.list), refetchOnWindowFocus: false })
  return (
    <Page title={id ? m.study_systems_tool() : undefined} onRefresh={tools.refetch}>
      <div className="column stack">
        <QueryView
          query={tools}
          skeleton={<Skeleton rows={3} height={160} label={m.shell_loading()} />}
        >
          {(list) => {
            const tool = list.find((one) => one.id === id)
            return (
              <>
                <RegistrationData tool={tool} />
                <Settings key={tool?.id} tool={tool} />
                {tool ? <Remove tool={tool} /> : null}
              </>
            )
          }}
        </QueryView>
      </div>
    </Page>
  )
}

/** The values to enter in the tool's own settings. */
function RegistrationData({ tool }: { tool: LtiTool | undefined }) {
  const platform = useQuery(q(ltiConsole.platform))
  return (
    <Card title={m.study_systems_told()}>
      <p className="muted">{m.study_systems_told_note()}</p>
      <QueryView query={platform} skeleton={<Skeleton height={182} label={m.shell_loading()} />}>
        {({ issuer, authorizationUrl, tokenUrl, jwksUrl }) => (
          <dl className="study-system-about">
            {[
              ['Issuer', issuer],
              ...(tool
                ? [
                    ['Client ID', tool.clientId],
                    ['Deployment ID', tool.deploymentId],
                  ]
                : []),
              ['Authorization URL', authorizationUrl],
              ['Token URL', tokenUrl],
              ['JWKS URL', jwksUrl],
            ].map(([name, value]) => (
              <div key={name}>
                <dt lang="en">{name}</dt>
                <dd className="num">{value}</dd>
              </div>
            ))}
          </dl>
        )}
      </QueryView>
    </Card>
  )
}

const texts = ['name', 'nameEn', 'initiateUrl', 'targetUrl', 'deepLinkUrl', 'jwksUrl'] as const
const labels: Record<(typeof texts)[number], () => string> = {
  name: m.study_systems_name,
  nameEn: m.study_systems_name_en,
  initiateUrl: m.study_systems_login_url,
  targetUrl: m.study_systems_launch_url,
  deepLinkUrl: m.study_systems_choose_url,
  jwksUrl: m.study_systems_jwks_url,
}
const scopeNames: Record<keyof typeof ltiScopes, () => string> = {
  lineItem: m.study_systems_scope_line_item,
  lineItemRead: m.study_systems_scope_line_item_read,
  result: m.study_systems_scope_result,
  score: m.study_systems_scope_score,
  members: m.study_systems_scope_members,
}

const blankTool: LtiToolFields = {
  name: '',
  nameEn: '',
  initiateUrl: '',
  targetUrl: '',
  redirectUris: [],
  deepLinkUrl: '',
  jwksUrl: '',
  jwks: null,
  scopes: [],
  custom: {},
  tellsName: false,
  tellsEmail: false,
  enabled: true,
}

function Settings({ tool }: { tool: LtiTool | undefined }) {
  const draft = `study-systems.tool:${tool?.id ?? ''}`
  const [fields, setFields] = useState<LtiToolFields>(() => {
    if (!tool) return blankTool
    const { id: _, clientId: __, deploymentId: ___, links: ____, ...given } = tool
    return given
  })
  const [redirects, setRedirects] = useState((tool?.redirectUris ?? []).join('\n'))
  const [issues, setIssues] = useState<Record<string, string>>({})
  const set = (change: Partial<LtiToolFields>) => setFields((before) => ({ ...before, ...change }))
  const options = {
    invalidates: changed,
    failed({ fields }: { fields?: Record<string, string> | undefined }) {
      if (fields)
        setIssues(
          Object.fromEntries(
            // An error in one of several addresses is named with its index.
            Object.entries(fields).map(([name, text]) => [name.replace(/[./].*$/, ''), text]),
          ),
        )
      return Boolean(fields)
    },
  }
  const saved = () => {
    deleteDraft(draft)
    toast(m.study_systems_saved())
  }
  const create = useAction(ltiConsole.create, {
    ...options,
    done({ id }) {
      saved()
      redirect('/pages/secondWork/studySystems/tool', { id })
    },
  })
  const update = useAction(ltiConsole.update, { ...options, done: saved })
  const save = () => {
    const body = { ...fields, redirectUris: redirects.split(/\s+/).filter(Boolean) }
    const requiredFields = ['name', 'initiateUrl', 'targetUrl'] as const
    const missing: string[] = requiredFields.filter((name) => !body[name].trim())
    if (body.redirectUris.length === 0) missing.push('redirectUris')
    if (!body.jwksUrl && body.jwks === null) missing.push('jwksUrl')
    setIssues(Object.fromEntries(missing.map((name) => [name, m.study_systems_needed()])))
    if (missing.length > 0) return
    if (tool) update.mutate({ params: { id: tool.id }, body })
    else create.mutate({ body })
  }
  const check = (label: string, checked: boolean, onChange: (checked: boolean) => void) => (
    <Switch key={label} label={label} checked={checked} onChange={onChange} />
  )
  return (
    <Card title={m.study_systems_settings()}>
      <DraftFields draft={draft} className="study-system-form">
        {texts.map((name) => (
          <Field
            key={name}
            label={labels[name]()}
            name={name}
            value={fields[name]}
            onValue={(value) => set({ [name]: value })}
            {...(name.endsWith('Url') && { type: 'url', inputMode: 'url' as const })}
            {...(name === 'deepLinkUrl' && { hint: m.study_systems_choose_hint() })}
            {...(issues[name] && { error: issues[name] })}
          />
        ))}
        <TextArea
          label={m.study_systems_redirects()}
          name="redirectUris"
          value={redirects}
          onValue={setRedirects}
          maxLength={20_000}
          rows={3}
          spellCheck={false}
          {...(issues.redirectUris && { error: issues.redirectUris })}
        />
        <fieldset className="study-system-form">
          <legend>{m.study_systems_scopes()}</legend>
          {(Object.keys(ltiScopes) as (keyof typeof ltiScopes)[]).map((name) =>
            check(scopeNames[name](), fields.scopes.includes(ltiScopes[name]), (on) =>
              set({
                scopes: [
                  ...fields.scopes.filter((one) => one !== ltiScopes[name]),
                  ...(on ? [ltiScopes[name]] : []),
                ],
              }),
            ),
          )}
          {check(m.study_systems_tells_name(), fields.tellsName, (tellsName) => set({ tellsName }))}
          {check(m.study_systems_tells_email(), fields.tellsEmail, (tellsEmail) =>
            set({ tellsEmail }),
          )}
        </fieldset>
        {check(m.study_systems_tool_enabled(), fields.enabled, (enabled) => set({ enabled }))}
        <Button busy={create.isPending || update.isPending} onClick={save}>
          {m.study_systems_save()}
        </Button>
      </DraftFields>
    </Card>
  )
}

function Remove({ tool }: { tool: LtiTool }) {
  const [isConfirming, setIsConfirming] = useState(false)
  const { mutate, isPending } = useAction(ltiConsole.remove, {
    invalidates: changed,
    done() {
      toast(m.study_systems_removed())
      back()
    },
  })
  if (tool.links > 0) return <p className="muted">{m.study_systems_tool_used()}</p>
  return (
    <>
      <Button kind="plain" wide onClick={() => setIsConfirming(true)}>
        {m.study_systems_remove()}
      </Button>
      <Dialog
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        title={m.study_systems_remove_sure({ name: inLanguage(tool.name, tool.nameEn) })}
        actions={
          <Button
            kind="danger"
            busy={isPending}
            onClick={() => mutate({ params: { id: tool.id } })}
          >
            {m.study_systems_remove()}
          </Button>
        }
      >
        {m.study_systems_tool_remove_text()}
      </Dialog>
    </>
  )
}
