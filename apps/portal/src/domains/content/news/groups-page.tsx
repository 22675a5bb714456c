import './groups-page.css'
import { type AppGroups, appGroups, appGroupsMost } from '@atrium/contract/content/app-groups'
import { useState } from 'react'
import { deleteDraft } from '#lib/drafts.ts'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useOptimisticAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { Card } from '#ui/card.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftForm } from '#ui/form/draft-form.tsx'
import { Field } from '#ui/form/field.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Select } from '#ui/form/select.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { IconTile } from '#ui/media/icon-tile.tsx'
import { UserText } from '#ui/user-text.tsx'
import { useAppGroups } from './news-queries.ts'

/** The member's groups of message applications. Each change is saved immediately. */
export default function GroupsPage() {
  const groups = useAppGroups()
  return (
    <Page onRefresh={groups.refetch}>
      <div className="column stack">
        <QueryView
          query={groups}
          skeleton={<Skeleton rows={6} height={64} label={m.shell_loading()} />}
          isEmpty={({ apps }) => apps.length === 0}
          empty={
            <Empty icon="message" title={m.news_groups_none()}>
              {m.news_groups_none_text()}
            </Empty>
          }
        >
          {(data) => <Groups data={data} />}
        </QueryView>
      </div>
    </Page>
  )
}

type DialogState = { naming: number | undefined } | { removing: number }

function Groups({ data }: { data: AppGroups }) {
  const [dialog, setDialog] = useState<DialogState>()
  const { groups } = data
  const save = useOptimisticAction(appGroups.save, {
    query: q(appGroups.read),
    update: (before, { body }) => ({ ...before, groups: body.groups }),
    queue: 'app groups',
    done: () => setDialog(undefined),
  })
  const change = (next: AppGroups['groups']) => save.mutate({ body: { groups: next } })
  const sort = (appId: string, place: string) =>
    change(
      groups.map(({ name, appIds }, index) => {
        const otherIds = appIds.filter((id) => id !== appId)
        return { name, appIds: String(index) === place ? [...otherIds, appId] : otherIds }
      }),
    )
  return (
    <>
      <p className="muted">{m.news_groups_text()}</p>
      <Card title={m.news_groups_list()}>
        {groups.length === 0 ? <p className="muted">{m.news_groups_empty()}</p> : null}
        <ul className="app-groups" aria-label={m.news_groups_list()}>
          {groups.map(({ name, appIds }, index) => (
            <li key={name}>
              <span className="app-groups-name">
                <UserText>{name}</UserText>{' '}
                <span className="muted num">{m.news_groups_count({ count: appIds.length })}</span>
              </span>
              <span className="app-groups-actions">
                <IconButton
                  label={m.news_group_rename({ name })}
                  onClick={() => setDialog({ naming: index })}
                >
                  <Icon name="edit" />
                </IconButton>
                <IconButton
                  label={m.news_group_remove({ name })}
                  onClick={() => setDialog({ removing: index })}
                >
                  <Icon name="trash" />
                </IconButton>
              </span>
            </li>
          ))}
        </ul>
        {groups.length < appGroupsMost ? (
          <Button kind="plain" wide onClick={() => setDialog({ naming: undefined })}>
            {m.news_group_add()}
          </Button>
        ) : null}
      </Card>
      {groups.length > 0 ? (
        <Card title={m.news_groups_apps()}>
          <AppSorting apps={data.apps} groups={groups} onSort={sort} />
        </Card>
      ) : null}
      {dialog && 'naming' in dialog ? (
        <Name
          groups={groups}
          groupIndex={dialog.naming}
          busy={save.isPending}
          onSave={change}
          onClose={() => setDialog(undefined)}
        />
      ) : null}
      {dialog && 'removing' in dialog ? (
        <RemoveDialog
          name={groups[dialog.removing]?.name ?? ''}
          busy={save.isPending}
          onRemove={() => change(groups.filter((_, index) => index !== dialog.removing))}
          onClose={() => setDialog(undefined)}
        />
      ) : null}
    </>
  )
}

type AppSortingProps = AppGroups & { onSort: (appId: string, place: string) => void }

/** The applications, each with a select for its group. */
function AppSorting({ apps, groups, onSort }: AppSortingProps) {
  return (
    <ul className="app-sorting" aria-label={m.news_groups_apps()}>
      {apps.map(({ appId, name, nameEn, icon }) => (
        <li key={appId}>
          <IconTile {...icon} />
          <span className="app-sorting-name">
            <Bilingual zh={name} en={nameEn} />
          </span>
          <Select
            aria-label={m.news_group_of({ name: inLanguage(name, nameEn) })}
            value={String(groups.findIndex(({ appIds }) => appIds.includes(appId)))}
            onValue={(next) => onSort(appId, next)}
          >
            <option value={-1}>{m.news_group_nowhere()}</option>
            {groups.map((group, index) => (
              <option key={group.name} value={index}>
                {group.name}
              </option>
            ))}
          </Select>
        </li>
      ))}
    </ul>
  )
}

type RemoveProps = { name: string; busy: boolean; onRemove: () => void; onClose: () => void }

function RemoveDialog({ name, busy, onRemove, onClose }: RemoveProps) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={m.news_group_remove_ask({ name })}
      actions={
        <>
          <Button kind="plain" onClick={onClose}>
            {m.news_cancel()}
          </Button>
          <Button kind="danger" busy={busy} onClick={onRemove}>
            {m.news_group_remove_do()}
          </Button>
        </>
      }
    >
      {m.news_group_remove_text()}
    </Dialog>
  )
}

type NameProps = {
  groups: AppGroups['groups']
  groupIndex: number | undefined
  busy: boolean
  onSave: (groups: AppGroups['groups']) => void
  onClose: () => void
}

function Name({ groups, groupIndex, busy, onSave, onClose }: NameProps) {
  const [name, setName] = useState(groupIndex === undefined ? '' : (groups[groupIndex]?.name ?? ''))
  const trimmed = name.trim()
  const isTaken = groups.some(
    (group, index) => index !== groupIndex && group.name.toLowerCase() === trimmed.toLowerCase(),
  )
  return (
    <Dialog
      open
      onClose={onClose}
      title={groupIndex === undefined ? m.news_group_add() : m.news_group_rename_title()}
    >
      <DraftForm
        draft={`news.group ${groupIndex ?? 'new'}`}
        className="group-name"
        onSubmit={(event) => {
          event.preventDefault()
          if (!trimmed || isTaken) return
          deleteDraft(`news.group ${groupIndex ?? 'new'}`)
          onSave(
            groupIndex === undefined
              ? [...groups, { name: trimmed, appIds: [] }]
              : groups.map((group, index) =>
                  index === groupIndex ? { ...group, name: trimmed } : group,
                ),
          )
        }}
      >
        <Field
          label={m.news_group_name()}
          value={name}
          onValue={setName}
          maxLength={20}
          error={isTaken ? m.news_group_taken() : ''}
        />
        <Button wide type="submit" busy={busy} disabled={!trimmed || isTaken}>
          {m.news_save()}
        </Button>
      </DraftForm>
    </Dialog>
  )
}
