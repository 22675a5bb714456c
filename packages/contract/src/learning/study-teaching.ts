import {
  CursorPage,
  cursorQuery,
  del,
  get,
  Id,
  Nullable,
  OneOf,
  post,
  put,
  type Static,
  T,
  Time,
} from '../define.ts'
import { attendanceStates } from './study.ts'

export const rollStates = ['all', 'missing', ...attendanceStates] as const

/** An attendance roll, open or closed. */
export const Roll = T.Object(
  {
    id: Id,
    courseId: Id,
    openedAt: Time,
    lateAt: Time,
    closesAt: Time,
    endedAt: Nullable(Time),
    code: T.String({ description: 'current code; empty after the end' }),
    codeUntil: Nullable(Time),
    students: T.Integer(),
    present: T.Integer(),
    late: T.Integer(),
    absent: T.Integer(),
    excused: T.Integer(),
  },
  { $id: 'StudyRoll' },
)
export type Roll = Static<typeof Roll>

export const RollLine = T.Object(
  {
    accountId: Id,
    name: T.String(),
    nameEn: T.String(),
    username: T.String(),
    organization: T.String(),
    organizationEn: T.String(),
    state: Nullable(OneOf(attendanceStates)),
    byTeacher: T.Boolean(),
    at: Nullable(Time),
  },
  { $id: 'StudyRollLine' },
)
export type RollLine = Static<typeof RollLine>

/** A student with attendance counts. */
export const Attendant = T.Object(
  {
    accountId: Id,
    name: T.String(),
    nameEn: T.String(),
    username: T.String(),
    organization: T.String(),
    organizationEn: T.String(),
    present: T.Integer(),
    late: T.Integer(),
    absent: T.Integer(),
    excused: T.Integer(),
  },
  { $id: 'StudyAttendant' },
)
export type Attendant = Static<typeof Attendant>

/** A student's result of an assignment, as the teachers see it. */
export const ResultLine = T.Object(
  {
    accountId: Id,
    name: T.String(),
    nameEn: T.String(),
    username: T.String(),
    handedAt: Nullable(Time),
    sentBackAt: Nullable(Time),
    comment: T.String({ description: "the student's comment on the submission" }),
    files: T.Array(T.Object({ name: T.String(), url: T.String(), mediaType: T.String() })),
    score: Nullable(T.Number()),
    grade: T.String(),
    feedback: T.String(),
    published: T.Boolean(),
  },
  { $id: 'StudyResultLine' },
)
export type ResultLine = Static<typeof ResultLine>

const text = (maxLength: number) => T.String({ minLength: 1, maxLength, pattern: '\\S' })
const params = T.Object({ id: Id })
const ofCourse = ['study.course_not_found'] as const
const ofRoll = ['study.roll_not_found'] as const
const ofAssignment = ['study.assignment_not_found'] as const
const assignmentFields = {
  title: text(100),
  titleEn: T.String({ maxLength: 150, default: '' }),
  text: T.String({ maxLength: 4000, default: '' }),
  dueAt: Nullable(Time),
  points: Nullable(T.Number({ exclusiveMinimum: 0, maximum: 10_000 })),
}

/** Actions of a course's teachers; for everybody else the course is not found. */
export const studyTeaching = {
  announce: post('/portal-api/v1/study/courses/{id}/announcements', {
    summary: 'Post an announcement to a course; everybody in it gets a message',
    access: 'member',
    params,
    body: T.Object({ title: text(100), text: text(4000) }),
    reply: T.Object({ told: T.Integer() }),
    errors: [...ofCourse, 'request.too_many'],
  }),
  attendants: get('/portal-api/v1/study/courses/{id}/roll', {
    summary: 'List the students of a course with their attendance counts',
    access: 'member',
    params,
    query: T.Object(cursorQuery),
    reply: CursorPage(Attendant),
    errors: ofCourse,
  }),
  openRoll: post('/portal-api/v1/study/courses/{id}/rolls', {
    summary:
      'Open an attendance roll with a code that changes every 30 seconds; if one is already open, it is returned',
    access: 'member',
    params,
    body: T.Object({
      minutes: T.Integer({ minimum: 1, maximum: 240, default: 15 }),
      lateAfter: T.Integer({
        minimum: 0,
        maximum: 240,
        default: 10,
        description: 'minutes after which students count as late',
      }),
    }),
    reply: Roll,
    errors: ofCourse,
  }),
  rolls: get('/portal-api/v1/study/courses/{id}/rolls', {
    summary: 'List the attendance rolls of a course, newest first',
    access: 'member',
    params,
    query: T.Object(cursorQuery),
    reply: CursorPage(Roll),
    errors: ofCourse,
  }),
  roll: get('/portal-api/v1/study/rolls/{id}', {
    summary: 'Get an attendance roll with its current code and counts',
    access: 'member',
    params,
    reply: Roll,
    errors: ofRoll,
  }),
  rollPeople: get('/portal-api/v1/study/rolls/{id}/people', {
    summary: 'List the students of an attendance roll, latest responses first',
    access: 'member',
    params,
    query: T.Object({ state: T.Optional(OneOf(rollStates)), ...cursorQuery }),
    reply: CursorPage(RollLine),
    errors: ofRoll,
  }),
  setAttended: put('/portal-api/v1/study/rolls/{id}/people/{accountId}', {
    summary: 'Set the attendance of a student manually',
    access: 'member',
    params: T.Object({ id: Id, accountId: Id }),
    body: T.Object({ state: OneOf(attendanceStates) }),
    reply: T.Null(),
    errors: [...ofRoll, 'study.student_not_found'],
  }),
  endRoll: post('/portal-api/v1/study/rolls/{id}/end', {
    summary: 'End an attendance roll; students who did not respond count as absent',
    access: 'member',
    params,
    reply: Roll,
    errors: ofRoll,
  }),
  createAssignment: post('/portal-api/v1/study/courses/{id}/assignments', {
    summary: 'Create an assignment: a task for every student, and a date in their schedule',
    access: 'member',
    params,
    body: T.Object(assignmentFields),
    reply: T.Object({ id: Id }),
    errors: [...ofCourse, 'study.too_many'],
  }),
  updateAssignment: put('/portal-api/v1/study/assignments/{id}', {
    summary: 'Update an assignment; imported ones fail with study.made_elsewhere',
    access: 'member',
    params,
    body: T.Object(assignmentFields),
    reply: T.Null(),
    errors: [...ofAssignment, 'study.made_elsewhere'],
  }),
  removeAssignment: del('/portal-api/v1/study/assignments/{id}', {
    summary: 'Delete an assignment with its tasks; fails once a student has submitted work',
    access: 'member',
    params,
    reply: T.Null(),
    errors: [...ofAssignment, 'study.made_elsewhere', 'study.handed_in'],
  }),
  results: get('/portal-api/v1/study/assignments/{id}/results', {
    summary: 'List the submissions and marks of an assignment by student',
    access: 'member',
    params,
    query: T.Object(cursorQuery),
    reply: CursorPage(ResultLine),
    errors: ofAssignment,
  }),
  mark: put('/portal-api/v1/study/assignments/{id}/results', {
    summary: 'Mark students; they see the marks after publication',
    access: 'member',
    params,
    body: T.Object({
      list: T.Array(
        T.Object({
          accountId: Id,
          score: Nullable(T.Number({ minimum: 0, maximum: 10_000 })),
          grade: T.String({ maxLength: 20, default: '' }),
          feedback: T.String({ maxLength: 2000, default: '' }),
        }),
        { maxItems: 500 },
      ),
      publish: T.Boolean({
        default: false,
        description: 'publish all marks of the assignment and notify the students',
      }),
    }),
    reply: T.Object({ published: T.Integer() }),
    errors: [...ofAssignment, 'study.made_elsewhere', 'study.student_not_found'],
  }),
  sendBack: post('/portal-api/v1/study/assignments/{id}/results/{accountId}/send-back', {
    summary: 'Return submitted work with a note; the student is notified and submits it again',
    access: 'member',
    params: T.Object({ id: Id, accountId: Id }),
    body: T.Object({ note: text(1000) }),
    reply: T.Null(),
    errors: [...ofAssignment, 'study.made_elsewhere', 'study.not_returnable'],
  }),
  addMaterial: post('/portal-api/v1/study/courses/{id}/materials', {
    summary: 'Add an uploaded file or a link to the materials of a course',
    access: 'member',
    params,
    body: T.Object({
      title: text(100),
      titleEn: T.String({ maxLength: 150, default: '' }),
      unitId: T.Optional(Id),
      fileId: T.Optional(Id),
      url: T.Optional(T.String({ maxLength: 2000, pattern: '^https?://' })),
    }),
    reply: T.Object({ id: Id }),
    errors: [...ofCourse, 'study.too_many', 'file.held'],
  }),
  removeMaterial: del('/portal-api/v1/study/materials/{id}', {
    summary: 'Delete a material; imported ones fail with study.made_elsewhere',
    access: 'member',
    params,
    reply: T.Null(),
    errors: ['study.material_not_found', 'study.made_elsewhere'],
  }),
}
