import {
  CursorPage,
  cursorQuery,
  del,
  get,
  Id,
  Nullable,
  OneOf,
  post,
  type Static,
  T,
  Time,
} from '../define.ts'
import { ChatReply, Dialog, DialogLine, maxQuestionLength } from './robot.ts'

/** A service desk at which the caller is an agent. */
export const OwnDesk = T.Object(
  {
    id: Id,
    name: T.String(),
    nameEn: T.String(),
    open: T.Boolean(),
    waiting: T.Integer({ description: 'dialogs not taken by an agent yet' }),
    agents: T.Array(T.Object({ id: Id, name: T.String(), nameEn: T.String() }), {
      description: 'all agents of the desk',
    }),
    otherDesks: T.Array(T.Object({ id: Id, name: T.String(), nameEn: T.String() }), {
      description: 'other desks that a dialog can be transferred to',
    }),
  },
  { $id: 'OwnDesk' },
)
export type OwnDesk = Static<typeof OwnDesk>

export const caseStates = ['waiting', 'mine', 'others', 'closed'] as const

/** A dialog at a desk, as its agents see it. */
export const DeskCase = T.Object(
  {
    dialogId: Id,
    deskId: Id,
    deskName: T.String(),
    deskNameEn: T.String(),
    title: T.String(),
    state: OneOf(['waiting', 'agent', 'closed']),
    mine: T.Boolean({ description: 'assigned to the caller' }),
    agentName: T.String({ description: 'name of the agent it is assigned to; empty: none yet' }),
    agentNameEn: T.String(),
    member: T.Object({
      name: T.String(),
      nameEn: T.String(),
      organizationName: T.String(),
      organizationNameEn: T.String(),
    }),
    score: Nullable(T.Integer({ description: "the member's rating, 1 to 5" })),
    requestedAt: Time,
    memberAt: Time,
  },
  { $id: 'DeskCase' },
)
export type DeskCase = Static<typeof DeskCase>

export const DeskPhrase = T.Object(
  { id: Id, title: T.String(), text: T.String() },
  { $id: 'DeskPhrase' },
)
export type DeskPhrase = Static<typeof DeskPhrase>

const dialogId = { dialogId: Id }
const CaseView = T.Object({ case: DeskCase, lines: T.Array(DialogLine) }, { $id: 'DeskCaseView' })
const ofCase = ['desk.case_not_found'] as const

/** Requests of members to a desk, and actions of its agents. */
export const desk = {
  request: post('/robot/desk/request', {
    summary: 'Hand a dialog, with everything said so far, over to a service desk',
    access: 'member',
    body: T.Object({
      deskId: Id,
      dialogId: T.Optional(Id),
      question: T.Optional(
        T.String({ minLength: 1, maxLength: maxQuestionLength, pattern: '\\S' }),
      ),
    }),
    reply: ChatReply,
    errors: [
      'desk.not_found',
      'robot.dialog_not_found',
      'robot.dialog_full',
      'desk.already_there',
      'request.too_many',
    ],
  }),
  end: post('/robot/desk/end', {
    summary: "End the caller's request to a service desk",
    access: 'member',
    body: T.Object(dialogId),
    reply: Dialog,
    errors: ['robot.dialog_not_found'],
  }),
  desks: get('/robot/desk/desks', {
    summary: 'List the service desks at which the caller is an agent',
    access: 'member',
    reply: T.Array(OwnDesk),
  }),
  queue: get('/robot/desk/queue', {
    summary:
      "List dialogs at the caller's desks: waiting ones by time of arrival, others newest first",
    access: 'member',
    query: T.Object({ state: T.Optional(OneOf(caseStates)), ...cursorQuery }),
    reply: CursorPage(DeskCase),
  }),
  read: get('/robot/desk/case', {
    summary: "Get a dialog at one of the caller's desks, with all its lines",
    access: 'member',
    query: T.Object(dialogId),
    reply: CaseView,
    errors: ofCase,
  }),
  take: post('/robot/desk/take', {
    summary: 'Take a waiting dialog',
    access: 'member',
    body: T.Object(dialogId),
    reply: CaseView,
    errors: [...ofCase, 'desk.taken'],
  }),
  reply: post('/robot/desk/reply', {
    summary: 'Reply in a dialog; a member who has left is notified by a message',
    access: 'member',
    body: T.Object({
      ...dialogId,
      text: T.String({ minLength: 1, maxLength: 2000, pattern: '\\S' }),
    }),
    reply: CaseView,
    errors: [...ofCase, 'desk.not_yours'],
  }),
  handOver: post('/robot/desk/handOver', {
    summary:
      'Transfer a dialog to another agent of the desk, or to another desk available to the member',
    access: 'member',
    body: T.Object({ ...dialogId, agentId: T.Optional(Id), deskId: T.Optional(Id) }),
    reply: T.Null(),
    errors: [...ofCase, 'desk.not_found', 'desk.not_yours'],
  }),
  close: post('/robot/desk/close', {
    summary: 'Close a dialog; the member may then rate it',
    access: 'member',
    body: T.Object(dialogId),
    reply: CaseView,
    errors: [...ofCase, 'desk.not_yours'],
  }),
  phrases: get('/robot/desk/phrases', {
    summary: 'List the saved replies of a desk',
    access: 'member',
    query: T.Object({ deskId: Id }),
    reply: T.Array(DeskPhrase),
    errors: ['desk.not_found'],
  }),
  addPhrase: post('/robot/desk/phrases', {
    summary: 'Save a reply for all agents of a desk',
    access: 'member',
    body: T.Object({
      deskId: Id,
      title: T.String({ minLength: 1, maxLength: 60, pattern: '\\S' }),
      text: T.String({ minLength: 1, maxLength: 2000, pattern: '\\S' }),
    }),
    reply: T.Array(DeskPhrase),
    errors: ['desk.not_found', 'desk.too_many_phrases'],
  }),
  removePhrase: del('/robot/desk/phrases/{id}', {
    summary: 'Delete a saved reply',
    access: 'member',
    params: T.Object({ id: Id }),
    reply: T.Null(),
    errors: ['desk.not_found'],
  }),
}
