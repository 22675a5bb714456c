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
    to: T.String({ description: 'address to open; empty: open `serviceId`' }),
    serviceId: Nullable(Id),
  },
  { $id: 'AnswerSource' },
)
export type AnswerSource = Static<typeof AnswerSource>

/** A sentence of an answer. */
export const AnswerPart = T.Object(
  {
    text: T.String(),
    source: Nullable(
      T.Integer({ description: 'index in `sources`; null: the sentence makes no claim' }),
    ),
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
    text: T.String({ description: 'letter: its text' }),
    startsLocal: T.String({ description: 'event: start, YYYY-MM-DDTHH:MM' }),
    minutes: T.Integer(),
    location: T.String(),
    dueLocal: T.String({ description: 'to-do: due time' }),
    timeZone: T.String(),
    mailboxId: Nullable(Id),
    mailboxName: T.String(),
    mailboxNameEn: T.String(),
    to: T.String({ description: 'service: address of its page, with the field filled in' }),
    serviceId: Nullable(Id),
    done: T.Boolean({ description: 'confirmed by the member' }),
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
    agentName: T.String({ description: 'agent: name; otherwise empty' }),
    agentNameEn: T.String(),
    text: T.String({ description: 'plain text' }),
    textEn: T.String({ description: 'note: English text; otherwise empty' }),
    parts: T.Array(AnswerPart, { description: 'robot: the sentences of the answer' }),
    sources: T.Array(AnswerSource),
    ways: T.Array(AnswerSource, { description: 'links for taking action' }),
    followUps: T.Array(T.String(), { description: 'suggested follow-up questions' }),
    proposals: T.Array(Proposal, { description: 'actions that the member may confirm' }),
    outcome: Nullable(OneOf(outcomes)),
    byModel: T.Boolean({ description: 'worded by a model' }),
    notice: Nullable(OneOf(notices)),
    helpful: Nullable(T.Boolean({ description: "the member's rating of the answer" })),
    at: Time,
  },
  { $id: 'DialogLine' },
)
export type DialogLine = Static<typeof DialogLine>

export const Dialog = T.Object(
  {
    id: Id,
    title: T.String({ description: 'the first question' }),
    state: OneOf(dialogStates),
    score: Nullable(T.Integer({ description: "the member's rating of the service desk, 1 to 5" })),
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
    online: T.Boolean({ description: 'a service desk is open now' }),
    assistant: T.Boolean({
      description: 'a model may word the answers, from content of the portal',
    }),
    desks: T.Array(
      T.Object({
        id: Id,
        name: T.String(),
        nameEn: T.String(),
        open: T.Boolean(),
        hours: T.String({ description: 'in the notation of OpenStreetMap; empty: always open' }),
        waiting: T.Integer({ description: 'number of waiting dialogs' }),
      }),
    ),
  },
  { $id: 'RobotStatus' },
)
export type RobotStatus = Static<typeof RobotStatus>

export const robot = {
  chat: post('/robot/kf/chat', {
    summary: 'Ask the robot, or write to the agent who has the dialog',
    description:
      'With Accept: text/event-stream, the reply is a stream of the events start (ChatReply without an answer), part (AnswerPart) or text, done (ChatReply) and failed.',
    access: 'member',
    body: T.Object({
      question: T.String({ minLength: 1, maxLength: maxQuestionLength, pattern: '\\S' }),
      dialogId: T.Optional(
        T.Union([Id, T.Literal('')], { description: 'absent: starts a new dialog' }),
      ),
      assistant: T.Optional(
        T.Boolean({ default: false, description: 'let a model word the answer' }),
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
    summary: 'Rate an answer of the robot, or the service desk',
    access: 'member',
    body: T.Object({
      dialogId: Id,
      lineId: T.Optional(Id),
      helpful: T.Optional(T.Boolean({ description: 'whether the answer `lineId` helped' })),
      score: T.Optional(
        T.Integer({ minimum: 1, maximum: 5, description: 'rating of the service desk' }),
      ),
      comment: T.Optional(T.String({ maxLength: 500 })),
    }),
    reply: Dialog,
    errors: ['robot.dialog_not_found', 'robot.line_not_found', 'robot.not_rateable'],
  }),
  confirmed: post('/robot/kf/confirmProposal', {
    summary: 'Mark a proposal of an answer as done by the member',
    access: 'member',
    body: T.Object({
      dialogId: Id,
      lineId: Id,
      index: T.Integer({ minimum: 0, maximum: 99, description: 'index in `proposals`' }),
    }),
    reply: T.Null(),
    errors: ['robot.dialog_not_found', 'robot.line_not_found'],
  }),
  dialogs: get('/robot/kf/getDialogList', {
    summary: "List the caller's dialogs, last used first",
    access: 'member',
    query: T.Object(cursorQuery),
    reply: CursorPage(Dialog),
  }),
  dialog: get('/robot/kf/getDialog', {
    summary: 'Get a dialog with its lines, or with those after a given line',
    access: 'member',
    query: T.Object({ dialogId: Id, after: T.Optional(Id) }),
    reply: T.Object({ dialog: Dialog, lines: T.Array(DialogLine) }),
    errors: ['robot.dialog_not_found'],
  }),
  removeDialog: del('/robot/kf/deleteDialog', {
    summary: 'Delete a dialog with all its lines; one at a service desk must be ended first',
    access: 'member',
    query: T.Object({ dialogId: Id }),
    reply: T.Null(),
    errors: ['robot.dialog_not_found', 'robot.at_desk'],
  }),
  hotQuestions: get('/robot/kf/getHotQuestionList', {
    summary: 'List the most asked questions that the caller may see',
    access: 'member',
    reply: T.Array(T.Object({ id: Id, question: T.String(), questionEn: T.String() })),
  }),
  token: get('/robot/kf/getToken', {
    summary: 'Get a token for the header userToken, which older clients send with a question',
    access: 'member',
    reply: T.Object({ userToken: T.String(), expiresIn: T.Integer({ description: 'seconds' }) }),
  }),
  online: get('/robot/kf/online', {
    summary: 'Get whether service desks and the assistant are available',
    access: 'member',
    reply: RobotStatus,
  }),
}
