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
    waiting: T.Integer({ description: 'dialogs that nobody has taken' }),
    agents: T.Array(T.Object({ id: Id, name: T.String(), nameEn: T.String() }), {
      description: 'everybody who answers there',
    }),
    otherDesks: T.Array(T.Object({ id: Id, name: T.String(), nameEn: T.String() }), {
      description: 'where a dialog can be handed to, too',
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
    mine: T.Boolean({ description: 'the caller has it' }),
    agentName: T.String({ description: 'who has it; empty: nobody yet' }),
    agentNameEn: T.String(),
    member: T.Object({
      name: T.String(),
      nameEn: T.String(),
      organizationName: T.String(),
      organizationNameEn: T.String(),
    }),
    score: Nullable(T.Integer({ description: 'what the member gave, 1 to 5' })),
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
    summary: 'Turns to a service desk, with everything said in the dialog before',
    access: 'member',
    body: T.Object({
      deskId: Id,
      dialogId: T.Optional(Id),
      question: T.Optional(
        T.String({ minLength: 1, maxLength: maxQuestionLength, pattern: '\\S' }),
      ),
    }),
    reply: ChatReply,
    errors: ['desk.not_found', 'robot.dialog_not_found', 'desk.already_there', 'request.too_many'],
  }),
  end: post('/robot/desk/end', {
    summary: 'The member needs the desk no more',
    access: 'member',
    body: T.Object(dialogId),
    reply: Dialog,
    errors: ['robot.dialog_not_found'],
  }),
  desks: get('/robot/desk/desks', {
    summary: 'Desks that the caller answers at; none for most',
    access: 'member',
    reply: T.Array(OwnDesk),
  }),
  queue: get('/robot/desk/queue', {
    summary:
      'Dialogs at the caller’s desks; waiting ones by the time they came, others the newest first',
    access: 'member',
    query: T.Object({ state: T.Optional(OneOf(caseStates)), ...cursorQuery }),
    reply: CursorPage(DeskCase),
  }),
  read: get('/robot/desk/case', {
    summary: 'A dialog at one of the caller’s desks, with everything said',
    access: 'member',
    query: T.Object(dialogId),
    reply: CaseView,
    errors: ofCase,
  }),
  take: post('/robot/desk/take', {
    summary: 'Takes a waiting dialog',
    access: 'member',
    body: T.Object(dialogId),
    reply: CaseView,
    errors: [...ofCase, 'desk.taken'],
  }),
  reply: post('/robot/desk/reply', {
    summary: 'Answers; a member who has gone gets a message',
    access: 'member',
    body: T.Object({
      ...dialogId,
      text: T.String({ minLength: 1, maxLength: 2000, pattern: '\\S' }),
    }),
    reply: CaseView,
    errors: [...ofCase, 'desk.not_yours'],
  }),
  handOver: post('/robot/desk/handOver', {
    summary: 'Hands a dialog to a colleague of the desk, or to another desk of the member’s',
    access: 'member',
    body: T.Object({ ...dialogId, agentId: T.Optional(Id), deskId: T.Optional(Id) }),
    reply: T.Null(),
    errors: [...ofCase, 'desk.not_found', 'desk.not_yours'],
  }),
  close: post('/robot/desk/close', {
    summary: 'The dialog is done; its member may rate it',
    access: 'member',
    body: T.Object(dialogId),
    reply: CaseView,
    errors: [...ofCase, 'desk.not_yours'],
  }),
  phrases: get('/robot/desk/phrases', {
    summary: 'Saved answers of a desk',
    access: 'member',
    query: T.Object({ deskId: Id }),
    reply: T.Array(DeskPhrase),
    errors: ['desk.not_found'],
  }),
  addPhrase: post('/robot/desk/phrases', {
    summary: 'Saves an answer for everybody at the desk',
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
    summary: 'Deletes a saved answer',
    access: 'member',
    params: T.Object({ id: Id }),
    reply: T.Null(),
    errors: ['desk.not_found'],
  }),
}
