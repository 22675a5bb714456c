import { get, Icon, Id, put, type Static, T } from '../define.ts'

export const appGroupsMost = 20

/** A member's group of message applications. */
export const AppGroup = T.Object(
  { name: T.String({ minLength: 1, maxLength: 20 }), appIds: T.Array(Id, { maxItems: 200 }) },
  { $id: 'AppGroup' },
)
export type AppGroup = Static<typeof AppGroup>

export const AppGroups = T.Object(
  {
    groups: T.Array(AppGroup),
    apps: T.Array(T.Object({ appId: Id, name: T.String(), nameEn: T.String(), icon: Icon })),
  },
  { $id: 'AppGroups' },
)
export type AppGroups = Static<typeof AppGroups>

export const appGroups = {
  read: get('/message/center/api/v1/instantMessage/groups', {
    summary: "List the message applications and the member's groups of them",
    access: 'member',
    reply: AppGroups,
  }),
  save: put('/message/center/api/v1/instantMessage/groups', {
    summary:
      "Replace the member's groups of message applications; an application belongs to at most one group",
    access: 'member',
    body: T.Object({ groups: T.Array(AppGroup, { maxItems: appGroupsMost }) }),
    reply: AppGroups,
    errors: ['request.invalid'],
  }),
}
