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
import { searchKinds } from './search.ts'

export const maxQuestionLength = 500

/** Who answers in a dialog: the robot, or people of a department (`waiting` until one of them takes it). */
export const dialogStates = ['robot', 'waiting', 'agent', 'closed'] as const

/** The source of an answer. */
export const AnswerSource = T.Object(
  {
    kind: OneOf(searchKinds),
    id: T.String(),
    title: T.String(),
    titleEn: T.String(),
    to: T.String({ description: 'the address it opens; empty: see serviceId' }),
    serviceId: Nullable(Id),
  },
  { $id: 'AnswerSource' },
)
export type AnswerSource = Static<typeof AnswerSource>

/** A sentence of an answer. */
export const AnswerPart = T.Object(
  {
    text: T.String(),
    source: Nullable(T.Integer({ description: 'its place in `sources`; null: it states nothing' })),
  },
  { $id: 'AnswerPart' },
)
export type AnswerPart = Static<typeof AnswerPart>

export const outcomes = ['answered', 'unknown', 'greeting'] as const

export const proposalKinds = ['event', 'todo', 'letter', 'service'] as const

/**
 * An action the assistant proposes. It is executed only after the member confirms it; fields unused by a kind are
 * empty.
 */
export const Proposal = T.Object(
  {
    kind: OneOf(proposalKinds),
    title: T.String(),
    text: T.String({ description: 'of a letter' }),
    startsLocal: T.String({ description: 'of an event, YYYY-MM-DDTHH:MM' }),
    minutes: T.Integer(),
    location: T.String(),
    dueLocal: T.String({ description: 'of a to-do' }),
    timeZone: T.String(),
    mailboxId: Nullable(Id),
    mailboxName: T.String(),
    mailboxNameEn: T.String(),
    to: T.String({ description: 'of a service’s page, with its field filled in' }),
    serviceId: Nullable(Id),
    done: T.Boolean({ description: 'the member has confirmed it' }),
  },
  { $id: 'AssistantProposal' },
)
export type Proposal = Static<typeof Proposal>

/** Why the portal answered without the model: a used-up limit, or a failure of the model. */
export const notices = ['memberBudget', 'budget', 'down', 'slow', 'cut', 'garbage'] as const

export const DialogLine = T.Object(
  {
    id: Id,
    author: OneOf(['member', 'robot', 'agent', 'note']),
    agentName: T.String({ description: 'of an agent; empty otherwise' }),
    agentNameEn: T.String(),
    text: T.String({ description: 'plain text' }),
    textEn: T.String({ description: 'of a note; empty otherwise' }),
    parts: T.Array(AnswerPart, { description: 'of an answer of the robot: its sentences' }),
    sources: T.Array(AnswerSource),
    ways: T.Array(AnswerSource, { description: 'what can be opened to do something about it' }),
    followUps: T.Array(T.String(), { description: 'what may be asked next' }),
    proposals: T.Array(Proposal, { description: 'what the member may confirm' }),
    outcome: Nullable(OneOf(outcomes)),
    byModel: T.Boolean({ description: 'a model put it into words' }),
    notice: Nullable(OneOf(notices)),
    helpful: Nullable(T.Boolean({ description: 'what the member said of it' })),
    at: Time,
  },
  { $id: 'DialogLine' },
)
export type DialogLine = Static<typeof DialogLine>

export const Dialog = T.Object(
  {
    id: Id,
    title: T.String({ description: 'what was asked first' }),
    state: OneOf(dialogStates),
    score: Nullable(T.Integer({ description: 'what the member gave the service desk, 1 to 5' })),
    lastAt: Time,
  },
  { $id: 'Dialog' },
)
export type Dialog = Static<typeof Dialog>

export const ChatReply = T.Object(
  {
    dialog: Dialog,
    question: DialogLine,
    answer: Nullable(DialogLine),
  },
  { $id: 'ChatReply' },
)
export type ChatReply = Static<typeof ChatReply>

/** What the robot can currently do for the caller. */
export const RobotStatus = T.Object(
  {
    online: T.Boolean({ description: 'people answer at a service desk now' }),
    assistant: T.Boolean({ description: 'a model answers, from what the portal knows' }),
    desks: T.Array(
      T.Object({
        id: Id,
        name: T.String(),
        nameEn: T.String(),
        open: T.Boolean(),
        hours: T.String({ description: 'in the notation of OpenStreetMap; empty: always' }),
        waiting: T.Integer({ description: 'dialogs that wait for an answer' }),
      }),
    ),
  },
  { $id: 'RobotStatus' },
)
export type RobotStatus = Static<typeof RobotStatus>

export const robot = {
  chat: post('/robot/kf/chat', {
    summary:
      'Asks the robot, or writes to whoever has the dialog. With Accept: text/event-stream the answer comes as events: start (ChatReply without an answer), part (AnswerPart) or text, done (ChatReply), failed',
    access: 'member',
    body: T.Object({
      question: T.String({ minLength: 1, maxLength: maxQuestionLength, pattern: '\\S' }),
      dialogId: T.Optional(T.Union([Id, T.Literal('')], { description: 'without: a new dialog' })),
      assistant: T.Optional(
        T.Boolean({ default: false, description: 'a model puts the answer into words' }),
      ),
    }),
    reply: ChatReply,
    errors: [
      'robot.dialog_not_found',
      'robot.token_invalid',
      'robot.dialog_full',
      'request.too_many',
    ],
  }),
  comment: post('/robot/kf/commentQuestion', {
    summary: 'Says whether an answer helped, or rates what the service desk did',
    access: 'member',
    body: T.Object({
      dialogId: Id,
      lineId: T.Optional(Id),
      helpful: T.Optional(T.Boolean({ description: 'of the answer named by lineId' })),
      score: T.Optional(T.Integer({ minimum: 1, maximum: 5, description: 'of the service desk' })),
      comment: T.Optional(T.String({ maxLength: 500 })),
    }),
    reply: Dialog,
    errors: ['robot.dialog_not_found', 'robot.line_not_found', 'robot.not_rateable'],
  }),
  confirmed: post('/robot/kf/confirmProposal', {
    summary: 'Notes that the member has done what an answer proposed',
    access: 'member',
    body: T.Object({
      dialogId: Id,
      lineId: Id,
      index: T.Integer({ minimum: 0, maximum: 99, description: 'its place in `proposals`' }),
    }),
    reply: T.Null(),
    errors: ['robot.dialog_not_found', 'robot.line_not_found'],
  }),
  dialogs: get('/robot/kf/getDialogList', {
    summary: 'The caller’s dialogs, the last used first',
    access: 'member',
    query: T.Object(cursorQuery),
    reply: CursorPage(Dialog),
  }),
  dialog: get('/robot/kf/getDialog', {
    summary: 'A dialog with its lines, or with those after one',
    access: 'member',
    query: T.Object({ dialogId: Id, after: T.Optional(Id) }),
    reply: T.Object({ dialog: Dialog, lines: T.Array(DialogLine) }),
    errors: ['robot.dialog_not_found'],
  }),
  removeDialog: del('/robot/kf/deleteDialog', {
    summary: 'Deletes a dialog with everything said in it; one at a service desk is closed first',
    access: 'member',
    query: T.Object({ dialogId: Id }),
    reply: T.Null(),
    errors: ['robot.dialog_not_found', 'robot.at_desk'],
  }),
  hotQuestions: get('/robot/kf/getHotQuestionList', {
    summary: 'What is asked most, of what the caller may see',
    access: 'member',
    reply: T.Array(T.Object({ id: Id, question: T.String(), questionEn: T.String() })),
  }),
  token: get('/robot/kf/getToken', {
    summary: 'A token for the header userToken, which older clients send with a question',
    access: 'member',
    reply: T.Object({ userToken: T.String(), expiresIn: T.Integer({ description: 'seconds' }) }),
  }),
  online: get('/robot/kf/online', {
    summary: 'Who answers now',
    access: 'member',
    reply: RobotStatus,
  }),
}
